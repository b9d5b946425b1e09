// Specialization constants of 1, 2, 4 and 8 bytes, integer and float, written out
// as they arrive. Sets 0 and 2 are used and set 1 is not.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require

layout(local_size_x = 1) in;
layout(constant_id = 10) const int8_t I8 = int8_t(1);
layout(constant_id = 11) const uint16_t U16 = uint16_t(2);
layout(constant_id = 12) const uint U32 = 3;
layout(constant_id = 13) const int64_t I64 = 4L;
layout(constant_id = 14) const float F32 = 5.0;
layout(constant_id = 15) const double F64 = 6.0;
layout(constant_id = 16) const bool B = false;

layout(set = 0, binding = 3) writeonly buffer A { int64_t a[]; };
layout(set = 2, binding = 1) writeonly buffer C { double c[]; };

void main() {
    a[0] = int64_t(I8);
    a[1] = int64_t(U16);
    a[2] = int64_t(U32);
    a[3] = I64;
    a[4] = B ? 1L : 0L;
    c[0] = double(F32);
    c[1] = F64;
}
