package store

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"

	"github.com/krisptune/krisptune/plugins"
)

// Fingerprint identifies a device under one driver: it changes when the driver is updated.
func Fingerprint(d plugins.Device) string {
	h := sha256.New()
	// Quoted, so that no field can run into the next.
	fmt.Fprintf(h, "%q %q %d %q %q %q %q", d.UUID, d.Name, d.DriverID, d.DriverName, d.DriverInfo, d.DriverVersion, d.APIVersion)
	return hex.EncodeToString(h.Sum(nil))
}

// putDevice returns the row of a device, made if it is not there.
func putDevice(tx *sql.Tx, d plugins.Device) (int64, error) {
	text, err := encode(d)
	if err != nil {
		return 0, err
	}
	var id int64
	// The update does nothing but make RETURNING answer for a row that was there.
	err = tx.QueryRow(`INSERT INTO devices (fingerprint, uuid, name, driver_id, driver_name, driver_info, driver_version, device_json)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (fingerprint) DO UPDATE SET uuid = excluded.uuid RETURNING id`,
		Fingerprint(d), d.UUID, d.Name, d.DriverID, d.DriverName, d.DriverInfo, d.DriverVersion, text).Scan(&id)
	return id, err
}
