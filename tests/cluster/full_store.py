"""A cluster whose disk counts as full, in a process of its own: results larger than its store.

Ray keeps what does not fit into its store on the disk; where that is full, too, it gives up.
"""

import sys

import ray
from ray.cluster_utils import Cluster

from riverboat.cluster import opened
from riverboat.errors import RiverboatError
from riverboat.runs import run_jobs
from runs.jobs import many_bytes

STORE_BYTES = 80 << 20


def main() -> None:
    """Print what came of some jobs: their bytes, or a sentence."""
    full = {"local_fs_capacity_threshold": float(sys.argv[1])}
    head = {"num_cpus": 1, "object_store_memory": STORE_BYTES, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args={**head, "_system_config": full})
    try:
        ray.init(cluster.address, log_to_driver=False, namespace="riverboat")
        with opened("ray"):
            for _, found in run_jobs(many_bytes, [STORE_BYTES + (1 << 20)] * 2, retries=1):
                print(len(found))
    except RiverboatError as error:
        print(error)
    finally:
        ray.shutdown()
        cluster.shutdown()


if __name__ == "__main__":
    main()
