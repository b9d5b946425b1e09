package spirv

// A DescriptorKind is the Vulkan descriptor type that a binding needs.
type DescriptorKind string

// The kinds; KindUnknown is a type that none of them fits.
const (
	KindStorageBuffer         DescriptorKind = "storage buffer"
	KindUniformBuffer         DescriptorKind = "uniform buffer"
	KindSampler               DescriptorKind = "sampler"
	KindSampledImage          DescriptorKind = "sampled image"
	KindStorageImage          DescriptorKind = "storage image"
	KindCombinedImageSampler  DescriptorKind = "combined image sampler"
	KindUniformTexelBuffer    DescriptorKind = "uniform texel buffer"
	KindStorageTexelBuffer    DescriptorKind = "storage texel buffer"
	KindAccelerationStructure DescriptorKind = "acceleration structure"
	KindUnknown               DescriptorKind = "unknown"
)

// A Binding is a place for a descriptor. Kernels often declare several variables on
// one, to read the same buffer as different types.
type Binding struct {
	Set, Binding uint32
	Kind         DescriptorKind
	Variables    []Variable
}

// A Variable is one declaration on a binding.
type Variable struct {
	Name string // of the variable; often empty in GLSL
	// Block is the struct of a buffer; its name is the GLSL block's. Zero for others.
	Block Block
	// Element is the type of what the buffer is an array of: of the runtime array at
	// its end, else of its last member. ElementStride is the bytes from one to the next.
	Element       string
	ElementStride int64
	// Count is the number of descriptors: 1, or the length of an array of them; 0 is
	// a runtime array.
	Count     int64
	ReadOnly  bool // NonWritable, on the variable or on all members
	WriteOnly bool // NonReadable, likewise
	Aliased   bool // declared with the Aliased decoration
	Restrict  bool
	Coherent  bool
	Volatile  bool
}

const imageBuffer = 5 // SPIR-V Dim

func (t *typ) descriptor(storage uint32) DescriptorKind {
	switch {
	case storage == storageStorageBuffer, t.buffer:
		return KindStorageBuffer
	case storage == storageUniform:
		return KindUniformBuffer
	case t.kind == kindSampler:
		return KindSampler
	case t.kind == kindSampledImage:
		return KindCombinedImageSampler
	case t.kind == kindAccelStructure:
		return KindAccelerationStructure
	case t.kind == kindImage && t.dim == imageBuffer && t.sampled == 2:
		return KindStorageTexelBuffer
	case t.kind == kindImage && t.dim == imageBuffer:
		return KindUniformTexelBuffer
	case t.kind == kindImage && t.sampled == 2:
		return KindStorageImage
	case t.kind == kindImage:
		return KindSampledImage
	}
	return KindUnknown
}

// interfaces reads the module's variables into Bindings, Push and shared.
func (p *parser) interfaces(m *Module) error {
	known := m.evaluate(nil)
	blocks := blockReader{layout: layout{known: known}}
	places := map[[2]uint32]int{}
	for _, v := range p.variables {
		switch v.storage {
		case storageWorkgroup:
			m.shared = append(m.shared, v)
		case storagePushConstant:
			block, err := blocks.block(v.typ)
			if err != nil {
				return &Error{v.word, "push constants: " + err.Error()}
			}
			if m.Push == nil || block.Size > m.Push.Size {
				m.Push = &block
			}
		case storageUniformConstant, storageUniform, storageStorageBuffer:
			d := p.decorations[v.id]
			if d.binding == nil {
				continue // no descriptor: Vulkan requires set and binding of every one
			}
			place := [2]uint32{0, *d.binding}
			if d.set != nil {
				place[0] = *d.set
			}
			variable, kind, err := v.descriptor(d, &blocks)
			if err != nil {
				return &Error{v.word, "variable " + v.label() + ": " + err.Error()}
			}
			i, ok := places[place]
			if !ok {
				i = len(m.Bindings)
				places[place] = i
				m.Bindings = append(m.Bindings, Binding{Set: place[0], Binding: place[1], Kind: kind})
			}
			m.Bindings[i].Variables = append(m.Bindings[i].Variables, variable)
		}
	}
	return nil
}

func (v variable) descriptor(d decorations, blocks *blockReader) (Variable, DescriptorKind, error) {
	t := v.typ
	out := Variable{Name: v.name, Count: 1, Aliased: d.aliased, Restrict: d.restrict, Coherent: d.coherent,
		Volatile: d.volatile, ReadOnly: d.nonWritable, WriteOnly: d.nonReadable}
	for t.kind == kindArray || t.kind == kindRuntimeArray {
		n, err := blocks.elements(t)
		if err == nil {
			out.Count, err = mul(out.Count, n)
		}
		if err != nil {
			return out, "", err
		}
		t = t.elem
	}
	kind := t.descriptor(v.storage)
	if kind != KindStorageBuffer && kind != KindUniformBuffer {
		return out, kind, nil
	}
	block, err := blocks.block(t)
	if err != nil {
		return out, "", err
	}
	out.Block = block
	if n := len(block.Members); n > 0 {
		last := block.Members[n-1]
		out.Element, out.ElementStride = last.Type, last.Stride
		if last.Stride == 0 {
			out.ElementStride = last.Size
		}
		all := decorations{nonWritable: true, nonReadable: true, coherent: true, volatile: true, restrict: true}
		for _, m := range t.members {
			all.nonWritable = all.nonWritable && m.nonWritable
			all.nonReadable = all.nonReadable && m.nonReadable
			all.coherent = all.coherent && m.coherent
			all.volatile = all.volatile && m.volatile
			all.restrict = all.restrict && m.restrict
		}
		out.ReadOnly = out.ReadOnly || all.nonWritable
		out.WriteOnly = out.WriteOnly || all.nonReadable
		out.Coherent = out.Coherent || all.coherent
		out.Volatile = out.Volatile || all.volatile
		out.Restrict = out.Restrict || all.restrict
	}
	return out, kind, nil
}
