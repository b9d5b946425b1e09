package launch

import "github.com/krisptune/krisptune/plugins"

// Band is the bytes of guard band before and after each buffer. It is a multiple of every
// storage buffer alignment that Vulkan allows, so that the data behind it stays aligned.
const Band = 64 << 10

// A layout places a buffer's bytes inside its device buffer:
//
//	[0, Band) front band | data | pad to 4 bytes | back band, Band bytes
//
// The pad exists because Vulkan fills whole words; a kernel must leave it alone, too.
type layout struct {
	data, padded int64 // bytes of data, and of data with its pad
}

func layoutOf(b plugins.Buffer) layout {
	size := b.Size()
	return layout{data: size, padded: (size + 3) &^ 3}
}

func (l layout) total() int64 { return Band + l.padded + Band }
func (l layout) back() int64  { return Band + l.padded }

// Contents are the bytes of one buffer as a run left them. They may alias device memory:
// they are valid until the next run.
type Contents struct {
	Front, Data, Pad, Back []byte
}

func (l layout) split(all []byte) Contents {
	return Contents{
		Front: all[:Band:Band],
		Data:  all[Band : Band+l.data : Band+l.data],
		Pad:   all[Band+l.data : l.back() : l.back()],
		Back:  all[l.back():l.total():l.total()],
	}
}
