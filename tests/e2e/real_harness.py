"""What the programs share that drive the real Claude Code by the module `cc` of a harness: their arguments, and how they begin."""
import argparse
import os
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def parser(doc):
    """Returns what reads the arguments of such a program: HARNESS, --dmplz and --keep."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("harness")
    parser.add_argument("--dmplz", default=os.path.join(ROOT, "target/debug/dmplz"))
    parser.add_argument("--keep")
    return parser


def enter(args, name):
    """Enters a network namespace, where that is possible. Returns `cc`, the program under test, and the folder of the runs."""
    sys.path.insert(0, os.path.abspath(args.harness))
    import cc
    cc.isolate()
    return cc, os.path.abspath(args.dmplz), os.path.abspath(args.keep or tempfile.mkdtemp(prefix=f"{name}-"))
