class HistoryFile:
    def __init__(self, path, spec): self.path=path; self.note=""; self.saved=0
    def save(self, hand, names, chairs): self.saved+=1
def default_history_path(spec):
    from pathlib import Path
    return Path("/nowhere/x.phhs")
