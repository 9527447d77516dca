// Powers and exponentials for tables that the host computes. Those of libm differ between machines; these are
// + - * / in double, in one order, so that every machine has the same bits.
#ifndef SJ_BASE_POWER_H
#define SJ_BASE_POWER_H

// e^x; 0 below -700, and what is above 700 counts as 700.
double sj_exponential(double x);
// x^y for x >= 0: 0^0 is 1, as in C.
double sj_power(double x, double y);

#endif
