# torch.matmul in fp32 without TF32, as `stijl lab matmul` has it: for comparison on a machine with torch and an NVIDIA
# GPU.
import torch
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
n = 4096
a = torch.randint(-2, 3, (n, n), device="cuda").float()
b = torch.randint(-2, 3, (n, n), device="cuda").float()
for _ in range(30):
    c = a @ b
torch.cuda.synchronize()
exact = bool(((a.double() @ b.double()) == c.double()).all())
times = []
for _ in range(15):
    s, e = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    s.record()
    for _ in range(3):
        c = a @ b
    e.record()
    torch.cuda.synchronize()
    times.append(s.elapsed_time(e) / 3)
times.sort()
t = times[len(times) // 2]
print("torch fp32 matmul %d: %.1f us, %.1f TFLOP/s, exact %s" % (n, t * 1e3, 2 * n**3 / t * 1e-9, exact))
