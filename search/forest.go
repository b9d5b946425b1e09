package search

import (
	"math/rand/v2"
)

// A forest is an ensemble of extremely randomized trees (Geurts, Ernst, Wehenkel, Machine Learning 2006): splits are
// drawn at random and the best of a few kept. The spread between trees tells how little is known at a point.
type forest struct {
	nodes []treeNode
	roots []int32
}

type treeNode struct {
	feature   int32 // -1 for a leaf
	threshold float32
	left      int32 // the right child follows the left one's subtree at right
	right     int32
	mean      float64
}

// grow fits trees to rows x and targets y. Nodes with fewer than twice leaf rows are not split.
func growForest(x [][]float32, y []float64, trees, tries, leaf int, rng *rand.Rand) *forest {
	f := &forest{}
	rows := make([]int32, len(x))
	for range trees {
		for i := range rows {
			rows[i] = int32(i)
		}
		f.roots = append(f.roots, f.grow(x, y, rows, tries, leaf, rng))
	}
	return f
}

func (f *forest) grow(x [][]float32, y []float64, rows []int32, tries, leaf int, rng *rand.Rand) int32 {
	id := int32(len(f.nodes))
	sum, square := 0.0, 0.0
	for _, r := range rows {
		sum += y[r]
		square += y[r] * y[r]
	}
	n := float64(len(rows))
	f.nodes = append(f.nodes, treeNode{feature: -1, mean: sum / n})
	if len(rows) < 2*leaf || square-sum*sum/n <= 1e-12*n {
		return id
	}
	bestGain, best := 0.0, treeNode{feature: -1}
	for range tries {
		c := rng.IntN(len(x[0]))
		lo, hi := x[rows[0]][c], x[rows[0]][c]
		for _, r := range rows[1:] {
			lo, hi = min(lo, x[r][c]), max(hi, x[r][c])
		}
		if lo == hi {
			continue
		}
		threshold := lo + (hi-lo)*rng.Float32()
		if threshold >= hi {
			threshold = lo
		}
		left, count := 0.0, 0.0
		for _, r := range rows {
			if x[r][c] <= threshold {
				left += y[r]
				count++
			}
		}
		if count < float64(leaf) || n-count < float64(leaf) {
			continue
		}
		right := sum - left
		// The variance that remains is least where this is greatest.
		if gain := left*left/count + right*right/(n-count) - sum*sum/n; gain > bestGain {
			bestGain, best = gain, treeNode{feature: int32(c), threshold: threshold}
		}
	}
	if best.feature < 0 {
		return id
	}
	split := 0
	for i, r := range rows {
		if x[r][best.feature] <= best.threshold {
			rows[i], rows[split] = rows[split], rows[i]
			split++
		}
	}
	best.mean = f.nodes[id].mean
	best.left = f.grow(x, y, rows[:split], tries, leaf, rng)
	best.right = f.grow(x, y, rows[split:], tries, leaf, rng)
	f.nodes[id] = best
	return id
}

// predict returns the mean and variance over trees at a row.
func (f *forest) predict(row []float32) (mean, variance float64) {
	sum, square := 0.0, 0.0
	for _, n := range f.roots {
		v := f.leaf(n, row)
		sum += v
		square += v * v
	}
	n := float64(len(f.roots))
	mean = sum / n
	return mean, max(0, square/n-mean*mean)
}

func (f *forest) leaf(n int32, row []float32) float64 {
	for {
		node := &f.nodes[n]
		if node.feature < 0 {
			return node.mean
		}
		if row[node.feature] <= node.threshold {
			n = node.left
		} else {
			n = node.right
		}
	}
}
