package constraint

import "math"

// roundBounds bounds floor or ceil of a float.
func roundBounds(o op, a interval) interval {
	round := math.Ceil
	if o == opFloor {
		round = math.Floor
	}
	lo, f := roundToInt(round(a.flo))
	hi, g := roundToInt(round(a.fhi))
	if f != noFault || g != noFault {
		return anyInt
	}
	return interval{lo: lo, hi: hi}
}

func floatBounds(n *node, a []interval) interval {
	corner := func(f func(x, y float64) (float64, fault), a, b interval) interval {
		r := interval{flo: math.Inf(1), fhi: math.Inf(-1)}
		for _, x := range [2]float64{a.flo, a.fhi} {
			for _, y := range [2]float64{b.flo, b.fhi} {
				v, fault := f(x, y)
				if fault != noFault {
					return anyFloat
				}
				r.flo, r.fhi = min(r.flo, v), max(r.fhi, v)
			}
		}
		return r
	}
	switch n.op {
	case opNeg:
		return interval{flo: -a[0].fhi, fhi: -a[0].flo}
	case opAdd:
		return corner(func(x, y float64) (float64, fault) { return finite(x + y) }, a[0], a[1])
	case opSub:
		return corner(func(x, y float64) (float64, fault) { return finite(x - y) }, a[0], a[1])
	case opMul:
		return corner(func(x, y float64) (float64, fault) { return finite(x * y) }, a[0], a[1])
	case opDiv:
		if n.args[0].kind != Float {
			for i := range a {
				a[i].flo, a[i].fhi = float64(a[i].lo), float64(a[i].hi)
			}
			// Beyond 53 bits the quotient is rounded once and not twice.
			if max(-a[0].flo, a[0].fhi, -a[1].flo, a[1].fhi) > exactFloat {
				return anyFloat
			}
		}
		if a[1].flo <= 0 && a[1].fhi >= 0 {
			return anyFloat
		}
		return corner(divFloat, a[0], a[1])
	case opMod:
		if a[1].flo > 0 {
			if a[0].flo == a[0].fhi && a[1].flo == a[1].fhi {
				return corner(modFloat, a[0], a[1])
			}
			return interval{flo: 0, fhi: a[1].fhi}
		}
		return anyFloat
	case opAbs:
		if a[0].flo >= 0 {
			return a[0]
		}
		return interval{fhi: max(-a[0].flo, a[0].fhi), flo: max(0, -a[0].fhi)}
	case opMin, opMax:
		r := a[0]
		for _, b := range a[1:] {
			if n.op == opMin {
				r.flo, r.fhi = min(r.flo, b.flo), min(r.fhi, b.fhi)
			} else {
				r.flo, r.fhi = max(r.flo, b.flo), max(r.fhi, b.fhi)
			}
		}
		return r
	}
	return anyFloat
}
