// Trigonometry with the same bits on every machine: only + - * / and exact remainders, unlike the C library's.
#ifndef SJ_GEOMETRY_TRIG_H
#define SJ_GEOMETRY_TRIG_H

// Error below 1e-15 for |degrees| < 1e9; exact at multiples of 90. `degrees` must be finite.
void sj_sincos_degrees(double degrees, double *sine, double *cosine);

#endif
