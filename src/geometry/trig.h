// Sines and cosines with the same bits on every machine. The C library's differ; these use only + - * / and exact
// remainders.
#ifndef SJ_GEOMETRY_TRIG_H
#define SJ_GEOMETRY_TRIG_H

// `degrees` must be finite. The error is below 1e-15 for |degrees| < 1e9, and 0 at multiples of 90.
void sj_sincos_degrees(double degrees, double *sine, double *cosine);

#endif
