// Powers and exponentials for tables that the host computes. Those of libm differ between machines. These use only
// + - * / on doubles, in a fixed order, so every machine gets the same bits.
#ifndef SJ_BASE_POWER_H
#define SJ_BASE_POWER_H

// Returns e^x, but 0 for x <= -700, and e^700 for x > 700. NaN gives 0.
double sj_exponential(double x);
// Returns x^y for x >= 0. 0^0 is 1, as in C.
double sj_power(double x, double y);

#endif
