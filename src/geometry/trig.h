// Sines and cosines with the same bits on every machine. The C library's differ; these use only + - * / and exact
// remainders.
#ifndef SJ_GEOMETRY_TRIG_H
#define SJ_GEOMETRY_TRIG_H

// Sets the sine and the cosine of an angle in degrees, which must be finite. For less than 1e9 degrees the error is
// below 1e-15, and at multiples of 90 degrees there is none.
void sj_sincos_degrees(double degrees, double *sine, double *cosine);

#endif
