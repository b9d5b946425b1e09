package t1

import (
	"fmt"
	"math"
	"math/big"
)

// apply computes v op w as Python does: / is true division, // and % round down, integers that
// leave 64 bits are an error.
func apply(op string, v, w any) (any, error) {
	if a, ok := v.([]any); ok {
		b, ok := w.([]any)
		if op != "+" || !ok {
			return nil, fmt.Errorf("a list %s %T, expected + and a list", op, w)
		}
		if len(a)+len(b) > maxValues {
			return nil, fmt.Errorf("more than %d values", maxValues)
		}
		return append(append([]any{}, a...), b...), nil
	}
	a, aInt := v.(int64)
	b, bInt := w.(int64)
	if aInt && bInt && op != "/" && (op != "**" || b >= 0) {
		return integer(op, a, b)
	}
	x, okX := float(v)
	y, okY := float(w)
	if !okX || !okY {
		return nil, fmt.Errorf("%v %s %v, expected numbers", v, op, w)
	}
	if y == 0 && (op == "/" || op == "//" || op == "%") {
		return nil, fmt.Errorf("%v %s %v divides by zero", v, op, w)
	}
	var z float64
	switch op {
	case "+":
		z = x + y
	case "-":
		z = x - y
	case "*":
		z = x * y
	case "/":
		z = x / y
	case "//":
		z = math.Floor(x / y)
	case "%":
		z = x - y*math.Floor(x/y)
	case "**":
		z = math.Pow(x, y)
	}
	if math.IsNaN(z) || math.IsInf(z, 0) {
		return nil, fmt.Errorf("%v %s %v is not finite", v, op, w)
	}
	return z, nil
}

func integer(op string, a, b int64) (any, error) {
	x, y, z := big.NewInt(a), big.NewInt(b), new(big.Int)
	switch op {
	case "+":
		z.Add(x, y)
	case "-":
		z.Sub(x, y)
	case "*":
		z.Mul(x, y)
	case "**":
		if b > 64 && a != 0 && a != 1 && a != -1 {
			return nil, fmt.Errorf("%d ** %d leaves 64 bits", a, b)
		}
		if b > 64 {
			b = 64 + b%2 // 0, 1 and -1 know only even and odd
		}
		z.Exp(x, big.NewInt(b), nil)
	case "//", "%":
		if b == 0 {
			return nil, fmt.Errorf("%d %s 0 divides by zero", a, op)
		}
		quotient, rest := new(big.Int).QuoRem(x, y, new(big.Int))
		if rest.Sign() != 0 && rest.Sign() != y.Sign() {
			quotient.Sub(quotient, big.NewInt(1))
			rest.Add(rest, y)
		}
		if z = quotient; op == "%" {
			z = rest
		}
	}
	if !z.IsInt64() {
		return nil, fmt.Errorf("%d %s %d leaves 64 bits", a, op, b)
	}
	return z.Int64(), nil
}

func float(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
