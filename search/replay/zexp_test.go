package replay
import ("testing";"path/filepath";"fmt";"os";"strconv";"strings";"time";"github.com/krisptune/krisptune/search")
func envi(n string,d int) int { if v:=os.Getenv(n);v!=""{i,_:=strconv.Atoi(v);return i};return d}
func TestExp(t *testing.T){
 search.XStart=envi("XSTART",search.XStart);search.XTrees=envi("XTREES",search.XTrees);search.XTries=envi("XTRIES",search.XTries);search.XLeaf=envi("XLEAF",search.XLeaf);search.XRand=envi("XRAND",search.XRand);
 search.XXi=float64(envi("XXI",0))/1000
 reps:=envi("REPS",20)
 fs,_:=filepath.Glob("/work/shared/spaces/*/*.gz")
 only:=os.Getenv("ONLY")
 var four,all []Result
 fr:=map[int]float64{25:1,50:1,100:1,200:1}
 for _,f:=range fs { if strings.Contains(f,"T4"){continue}; if only!=""&&!strings.Contains(f,only){continue}
  r,err:=Open(f); if err!=nil{t.Fatal(err)}
  p:=0.95; four1:=strings.Contains(f,"kt_")||strings.Contains(f,"convolution_milo_A100")
  if strings.Contains(f,"gemm")||strings.Contains(f,"convolution_milo_A100")||strings.Contains(f,"A100")&&strings.Contains(f,"dedisp") {p=.9}
  if strings.Contains(f,"W6600"){p=.8}
  st:=time.Now()
  mk:=func(s *search.Space,seed uint64) search.Strategy{ return mkStrategy(os.Getenv("STRAT"),s,seed)}
  res:=Simulation{Percentile:p,Repeats:reps}.Run(r,mk)
  q:=[]float64{}; _=q
  fmt.Printf("%-32s cut %3d score %6.3f [%6.3f %6.3f] %.3f %.3f %.3f %.3f  %v (%v/eval)\n",r.Name,res.Cutoff,res.Score,res.Interval[0],res.Interval[1],res.FractionAt[25],res.FractionAt[50],res.FractionAt[100],res.FractionAt[200],time.Since(st).Round(time.Millisecond),res.PerEval)
  all=append(all,res)
  if four1{four=append(four,res); for k:=range fr{fr[k]*=res.FractionAt[k]}}
 }
 if len(four)==4 { s,iv:=Aggregate(four); pw:=func(x float64)float64{return sqrt4(x)}
 fmt.Printf("FOUR %.3f %v fractions %.3f %.3f %.3f %.3f\n",s,iv,pw(fr[25]),pw(fr[50]),pw(fr[100]),pw(fr[200]))}
 s,_:=Aggregate(all); fmt.Printf("ALL %.3f\n",s)
}
