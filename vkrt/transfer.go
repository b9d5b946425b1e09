package vkrt

import (
	"fmt"
	"time"
)

const (
	// stagingBytes bounds the host memory that one transfer takes.
	stagingBytes = 64 << 20
	// transferDeadline is far above what 64 MiB take on any bus.
	transferDeadline = 30 * time.Second
)

// Upload writes data into dst at offset, directly where dst is mapped and through
// a staging buffer otherwise. It waits until the device has the data.
func (d *Device) Upload(dst *Buffer, offset int64, data []byte) error {
	if err := dst.contains(offset, int64(len(data))); err != nil {
		return fmt.Errorf("upload: %w", err)
	}
	if dst.mapped != nil {
		copy(dst.mapped[offset:], data)
		return nil // Submit flushes
	}
	return d.stage(int64(len(data)), func(r *Recorder, staging *Buffer, at, n int64) error {
		copy(staging.mapped, data[at:at+n])
		r.Copy(dst, offset+at, staging, 0, n)
		return d.finish(r)
	})
}

// Download reads data from src at offset. The device must have finished writing:
// call it after Submit.
func (d *Device) Download(src *Buffer, offset int64, data []byte) error {
	if err := src.contains(offset, int64(len(data))); err != nil {
		return fmt.Errorf("download: %w", err)
	}
	if src.mapped != nil {
		copy(data, src.mapped[offset:])
		return nil // Submit invalidated
	}
	return d.stage(int64(len(data)), func(r *Recorder, staging *Buffer, at, n int64) error {
		r.Copy(staging, 0, src, offset+at, n)
		r.HostBarrier()
		if err := d.finish(r); err != nil {
			return err
		}
		copy(data[at:at+n], staging.mapped)
		return nil
	})
}

// stage calls part for each piece of n bytes, with a recorder that has begun.
func (d *Device) stage(n int64, part func(r *Recorder, staging *Buffer, at, n int64) error) error {
	if n == 0 {
		return nil
	}
	d.stagingMu.Lock()
	defer d.stagingMu.Unlock()
	staging, err := d.stagingFor(min(n, stagingBytes))
	if err != nil {
		return err
	}
	r, err := d.NewRecorder()
	if err != nil {
		return err
	}
	defer r.Close()
	for at := int64(0); at < n; at += staging.size {
		if err := r.Begin(); err != nil {
			return err
		}
		r.Barrier() // orders the copy after earlier submits
		if err := part(r, staging, at, min(staging.size, n-at)); err != nil {
			return err
		}
	}
	return nil
}

func (d *Device) finish(r *Recorder) error {
	if err := r.End(); err != nil {
		return err
	}
	return d.Submit(r, transferDeadline)
}

// stagingFor returns a mapped buffer of at least n bytes. It is kept between transfers: making
// tens of megabytes that the device can reach costs more than moving them.
func (d *Device) stagingFor(n int64) (*Buffer, error) {
	if d.staging != nil && d.staging.size >= n {
		return d.staging, nil
	}
	if d.staging != nil {
		d.staging.Close()
		d.staging = nil
	}
	b, err := d.NewBuffer(n, HostVisible)
	if err == nil {
		d.staging = b
	}
	return b, err
}
