package constraint

import (
	"math"
	"math/big"
	"math/bits"
)

// A fault is why an operation has no value.
type fault uint8

const (
	noFault fault = iota
	divisionByZero
	overflow
	negativePower
)

func (f fault) String() string {
	switch f {
	case divisionByZero:
		return "division by zero"
	case overflow:
		return "overflow of 64 bits"
	case negativePower:
		return "negative exponent of an integer power"
	}
	return "no fault"
}

func addInt(a, b int64) (int64, fault) {
	c := a + b
	if (c > a) != (b > 0) && b != 0 {
		return 0, overflow
	}
	return c, noFault
}

func subInt(a, b int64) (int64, fault) {
	c := a - b
	if (c < a) != (b > 0) && b != 0 {
		return 0, overflow
	}
	return c, noFault
}

func mulInt(a, b int64) (int64, fault) {
	const small = 1 << 31
	if -small < a && a < small && -small < b && b < small {
		return a * b, noFault
	}
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	negative := (a < 0) != (b < 0)
	switch {
	case hi != 0 || lo > 1<<63 || (lo == 1<<63 && !negative):
		return 0, overflow
	case negative:
		return -int64(lo), noFault
	}
	return int64(lo), noFault
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// floorDivInt rounds towards minus infinity, as Python's // does.
func floorDivInt(a, b int64) (int64, fault) {
	if b == 0 {
		return 0, divisionByZero
	}
	if a == math.MinInt64 && b == -1 {
		return 0, overflow
	}
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q, noFault
}

// modInt has the sign of the divisor, as Python's % does.
func modInt(a, b int64) (int64, fault) {
	if b == 0 {
		return 0, divisionByZero
	}
	if b == -1 {
		return 0, noFault
	}
	r := a % b
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r, noFault
}

func powInt(a, b int64) (int64, fault) {
	switch {
	case b < 0 && a == 0:
		return 0, divisionByZero
	case b < 0:
		return 0, negativePower
	}
	var f fault
	r := int64(1)
	for ; b > 0; b >>= 1 {
		if b&1 == 1 {
			if r, f = mulInt(r, a); f != noFault {
				return 0, f
			}
		}
		if b > 1 {
			if a, f = mulInt(a, a); f != noFault {
				return 0, f
			}
		}
	}
	return r, noFault
}

const exactFloat = 1 << 53

// divInt is the correctly rounded quotient, as Python's / of two integers is.
func divInt(a, b int64) (float64, fault) {
	if b == 0 {
		return 0, divisionByZero
	}
	if -exactFloat <= a && a <= exactFloat && -exactFloat <= b && b <= exactFloat {
		return float64(a) / float64(b), noFault
	}
	q, _ := big.NewRat(1, 1).SetFrac(big.NewInt(a), big.NewInt(b)).Float64()
	return q, noFault
}

func finite(x float64) (float64, fault) {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return 0, overflow
	}
	return x, noFault
}

func divFloat(a, b float64) (float64, fault) {
	if b == 0 {
		return 0, divisionByZero
	}
	return finite(a / b)
}

// modFloat has the sign of the divisor, as Python's % does.
func modFloat(a, b float64) (float64, fault) {
	if b == 0 {
		return 0, divisionByZero
	}
	mod := math.Mod(a, b)
	if mod == 0 {
		return math.Copysign(0, b), noFault
	}
	if (b < 0) != (mod < 0) {
		mod += b
	}
	return mod, noFault
}

// floorDivFloat follows CPython's float_divmod, whose quotient is the floor of (a-mod)/b, not of a/b.
func floorDivFloat(a, b float64) (float64, fault) {
	if b == 0 {
		return 0, divisionByZero
	}
	mod := math.Mod(a, b)
	div := (a - mod) / b
	if mod != 0 && (b < 0) != (mod < 0) {
		div--
	}
	if div == 0 {
		return math.Copysign(0, a/b), noFault
	}
	floor := math.Floor(div)
	if div-floor > 0.5 {
		floor++
	}
	return finite(floor)
}

func powFloat(a, b float64) (float64, fault) {
	if a == 0 && b < 0 {
		return 0, divisionByZero
	}
	return finite(math.Pow(a, b))
}

// roundToInt is floor or ceil of a float as an integer.
func roundToInt(x float64) (int64, fault) {
	if x >= 1<<63 || x < -1<<63 {
		return 0, overflow
	}
	return int64(x), noFault
}

// compareIntFloat orders an integer and a float by their exact values.
func compareIntFloat(i int64, f float64) int {
	switch {
	case f >= 1<<63:
		return -1
	case f < -1<<63:
		return 1
	}
	t := int64(f)
	switch {
	case i < t:
		return -1
	case i > t:
		return 1
	}
	switch rest := f - math.Trunc(f); {
	case rest > 0:
		return -1
	case rest < 0:
		return 1
	}
	return 0
}
