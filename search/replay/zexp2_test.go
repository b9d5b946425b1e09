package replay
import ("math";"github.com/krisptune/krisptune/search")
func sqrt4(x float64) float64 { return math.Pow(x,.25) }
func mkStrategy(n string,s *search.Space,seed uint64) search.Strategy { switch n { case "random": return search.NewRandom(s,seed)
case "bayes": return search.NewBayes(s,seed)}
return search.NewSurrogate(s,seed)}
func init() { search.XKern=envi("XKERN",search.XKern); search.XSteps=envi("XSTEPS",search.XSteps); search.XTop=envi("XTOP",search.XTop);search.XClip=envi("XCLIP",search.XClip) }
