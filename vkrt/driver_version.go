package vkrt

import "fmt"

// Values of VkDriverId whose version numbers are packed in a scheme of their own.
const (
	driverNVIDIAProprietary = 4
	driverIntelWindows      = 5
)

const vendorNVIDIA = 0x10de

// driverVersion prints a driver's version as its vendor does. NVIDIA's own driver
// packs 10.8.8.6 bits and Intel's for Windows 18.14; all others, NVK on NVIDIA
// hardware among them, use Vulkan's 10.10.12. The vendor decides only where an old
// driver gives no id.
func driverVersion(driverID int, vendorID, v uint32) string {
	switch {
	case driverID == driverNVIDIAProprietary, driverID == 0 && vendorID == vendorNVIDIA:
		s := fmt.Sprintf("%d.%02d", v>>22, v>>14&0xff)
		if v&0x3fff != 0 {
			s += fmt.Sprintf(".%02d", v>>6&0xff)
		}
		if v&0x3f != 0 {
			s += fmt.Sprintf(".%02d", v&0x3f)
		}
		return s
	case driverID == driverIntelWindows:
		return fmt.Sprintf("%d.%d", v>>14, v&0x3fff)
	}
	return fmt.Sprintf("%d.%d.%d", v>>22, v>>12&0x3ff, v&0xfff)
}

// vendorName names a PCI vendor or a Khronos VkVendorId.
func vendorName(id uint32) string {
	switch id {
	case 0x1002:
		return "AMD"
	case 0x1010:
		return "Imagination"
	case 0x106b:
		return "Apple"
	case vendorNVIDIA:
		return "NVIDIA"
	case 0x13b5:
		return "Arm"
	case 0x144d:
		return "Samsung"
	case 0x14e4:
		return "Broadcom"
	case 0x1ae0:
		return "Google"
	case 0x5143:
		return "Qualcomm"
	case 0x8086:
		return "Intel"
	case 0x10005:
		return "Mesa"
	case 0x10006:
		return "PoCL"
	}
	return fmt.Sprintf("vendor 0x%04x", id)
}
