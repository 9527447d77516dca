"""The engines that examples/cluster drives, each as a small cluster on this machine: a context that yields a function,
which starts a command as shards and returns the process to wait for. Absent: why this machine does not have it."""
import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "cluster")


class Absent(Exception):
    pass


def example(name):
    return os.path.abspath(os.path.join(EXAMPLES, name))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def start(command, folder, **environment):
    with open(os.path.join(folder, "engine.log"), "ab") as log:
        return subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                env={**os.environ, **environment})


@contextlib.contextmanager
def ray(folder, shards):
    """Two nodes of two processors each."""
    try:
        from ray.cluster_utils import Cluster
    except ImportError:
        raise Absent("no Python package ray") from None
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    try:
        cluster.add_node(num_cpus=2)
        yield lambda command: start([sys.executable, example("ray_shards.py"), str(shards), *command], folder,
                                    RAY_ADDRESS=cluster.address)
    finally:
        cluster.shutdown()


@contextlib.contextmanager
def dask(folder, shards):
    """Four workers, each a process with a nanny."""
    try:
        from dask.distributed import LocalCluster
    except ImportError:
        raise Absent("no Python package distributed") from None
    with LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster:
        yield lambda command: start([sys.executable, example("dask_shards.py"), str(shards), *command], folder,
                                    DASK_SCHEDULER_ADDRESS=cluster.scheduler_address)


@contextlib.contextmanager
def mpi(folder, shards):
    """Four ranks, whatever `shards` says."""
    if not shutil.which("mpirun"):
        raise Absent("no mpirun (openmpi-bin)")
    yield lambda command: start([example("mpi.sh"), "4", *command], folder, MPIRUN_OPTIONS="--oversubscribe",
                                OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


SLURM = """ClusterName=stijl
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def make_slurm(folder):
    host = socket.gethostname().split(".")[0]
    for name in ("state", "spool"):
        os.makedirs(os.path.join(folder, name))
    with open(os.path.join(folder, "munge.key"), "wb") as key:
        key.write(os.urandom(1024))
    os.chmod(key.name, 0o400)
    with open(os.path.join(folder, "slurm.conf"), "w") as conf:
        conf.write(SLURM.format(host=host, folder=folder, controller=free_port(), daemon=free_port()))
    return conf.name


def slurm_daemons(folder, conf):
    at = lambda name: os.path.join(folder, name)  # noqa: E731
    yield ["munged", "--foreground", "--force", "--key-file=" + at("munge.key"), "--socket=" + at("munge.socket"),
           "--pid-file=" + at("munged.pid"), "--log-file=" + at("munged.log"), "--seed-file=" + at("munged.seed")]
    yield ["slurmctld", "-D", "-c", "-f", conf]
    yield ["slurmd", "-D", "-f", conf]


def wait_for_node(environment, daemons):
    until = time.monotonic() + 30
    while time.monotonic() < until and all(d.poll() is None for d in daemons):
        if subprocess.run(["sinfo", "-h", "-o", "%T"], capture_output=True, env=environment).stdout.strip() == b"idle":
            return
        time.sleep(0.2)
    raise Absent("Slurm does not start on this machine")


@contextlib.contextmanager
def slurm(folder, shards):
    """A controller and a node of four processors."""
    if not all(shutil.which(name) for name in ("slurmctld", "slurmd", "munged", "sbatch")):
        raise Absent("no Slurm (slurmctld, slurmd, slurm-client, munge)")
    if os.getuid():
        raise Absent("slurmd needs root")
    daemons = []
    conf = make_slurm(folder)
    environment = {"SLURM_CONF": conf}
    try:
        for command in slurm_daemons(folder, conf):
            daemons.append(start(command, folder, **environment))
            time.sleep(0.5)
        wait_for_node({**os.environ, **environment}, daemons)
        array = "--array=1-%d" % shards
        yield lambda command: start([sys.executable, os.path.abspath(__file__), "submit", "--parsable", array,
                                     example("slurm.sbatch"), *command], folder, **environment)
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
            daemon.wait()


def submit(arguments):
    """sbatch --wait takes a job that is put back into the queue for one that has ended. The status tells whether all
    tasks have ended well."""
    job = subprocess.run(["sbatch", *arguments], capture_output=True, text=True, check=True).stdout.strip()
    while subprocess.run(["squeue", "-h", "-j", job], capture_output=True, check=True).stdout:
        time.sleep(0.2)
    shown = subprocess.run(["scontrol", "-o", "show", "job", job], capture_output=True, text=True, check=True).stdout
    print(shown)
    sys.exit(0 if shown and all("JobState=COMPLETED" in line for line in shown.splitlines() if line) else 1)


ENGINES = {"Ray": ray, "Dask": dask, "Open MPI": mpi, "Slurm": slurm}

if __name__ == "__main__" and sys.argv[1:2] == ["submit"]:
    submit(sys.argv[2:])
