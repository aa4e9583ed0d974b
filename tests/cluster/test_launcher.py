"""The example for Ray's launcher is one that the launcher takes."""

from pathlib import Path

import pytest

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]

EXAMPLE = Path(__file__).parents[2] / "docs" / "cluster.yaml"


def test_the_example_is_valid() -> None:
    util = pytest.importorskip("ray.autoscaler._private.util")
    yaml = pytest.importorskip("yaml")
    config = yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))
    util.validate_config(util.prepare_config(config))
    assert "riverboat[ray]" in config["setup_commands"][0]
    with pytest.raises(Exception, match="no_such_key"):
        util.validate_config(util.prepare_config({**config, "no_such_key": 1}))
