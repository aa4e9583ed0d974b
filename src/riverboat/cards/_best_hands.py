"""The best so many percent of hands, by equity against one random hand.

The order of the starting classes is that of their exact equity before the flop, ties counted
half; no two are equal. It is written down here so that reading a range needs no tables, and a
test compares it with them.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.cards._holes import CLASS_COMBOS, CLASS_HOLES, NUM_HOLES, parse_class

BEST_FIRST = """
AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s A9o
KJo 55 QJs K9s A5s A6s A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s QTo 44
A4o K6s K8o Q8s A3o K5s J9s Q9o JTo K7o A2o K4s Q7s K6o K3s T9s J8s 33 Q6s Q8o K5o J9o K2s
Q5s T8s K4o J7s Q4s Q7o T9o J8o K3o Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o J5s T8o J7o Q4o 97s
J4s T6s J3s Q3o 98o 87s T7o J6o 96s J2s Q2o T5s J5o T4s 97o 86s J4o T6o 95s T3s 76s J3o 87o
T2s 85s 96o J2o T5o 94s 75s T4o 93s 86o 65s 84s 95o T3o 92s 76o 74s T2o 54s 85o 64s 83s 94o
75o 82s 73s 93o 65o 53s 63s 84o 92o 43s 74o 72s 54o 64o 52s 62s 83o 42s 82o 73o 53o 63o 32s
43o 72o 52o 62o 42o 32o
"""


def best_holes(percent: float) -> NDArray[np.intp]:
    """Hole pairs of the best classes: whole ones, until the percentage of 1,326 is reached.

    Parameters
    ----------
    percent
        0 to 100; above 0 there is at least the best class.

    Returns
    -------
    [n] intp
        The hole pairs, class by class.

    Examples
    --------
    >>> len(best_holes(1)), len(best_holes(100))  # AA, KK and QQ are 1.36 %
    (18, 1326)
    """
    order = [parse_class(text) for text in BEST_FIRST.split()]
    before = np.cumsum([0, *CLASS_COMBOS[order[:-1]].tolist()])
    count = int((100 * before < percent * NUM_HOLES).sum())
    return np.concatenate([np.empty(0, np.intp), *(CLASS_HOLES[index] for index in order[:count])])
