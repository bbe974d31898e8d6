/** Python nodes: pyodide with its bridge to JavaScript removed. */
import type { RunCode } from './serve.js';

const PRELUDE = `
import ast, json, math, types

class _Result(dict):
    """What a branch gave: its members are attributes, too."""
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

def _plain(value, path):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2 ** 53 else {"$integer": str(value)}
    if isinstance(value, float):
        if not math.isfinite(value):
            raise TypeError(f"{path} is {value}, which JSON cannot hold")
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(item, f"{path}[{index}]") for index, item in enumerate(value)]
    if isinstance(value, dict):
        members = {str(key): _plain(item, f"{path}.{key}") for key, item in value.items()}
        if len(members) == 1 and next(iter(members)) in ("$integer", "$object"):
            return {"$object": [[key, item] for key, item in members.items()]}
        return members
    if isinstance(value, (set, frozenset)):
        raise TypeError(f"{path} is a set, which JSON cannot hold: give a list")
    raise TypeError(f"{path} is of type {type(value).__name__}, which JSON cannot hold")

def _returns(nodes):
    for node in nodes:
        if isinstance(node, ast.Return):
            return True
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        if _returns(ast.iter_child_nodes(node)):
            return True
    return False

def _run(code, given):
    given = json.loads(given)
    state = given["state"]
    before = json.loads(json.dumps(state))
    names = {
        "__name__": "__node__",
        "state": state,
        "variables": given["variables"],
        "json": json,
        "math": math,
    }
    if given["parallel_results"] is not None:
        results = [_Result(result) for result in given["parallel_results"]]
        names["parallel_results"] = results
        before.setdefault("parallel_results", results)
        state.setdefault("parallel_results", results)
    known = set(names) | {"__builtins__"}
    try:
        tree = ast.parse(code, "<node>")
        if _returns(tree.body):
            wrapper = ast.parse("def __node__(): pass")
            wrapper.body[0].body = tree.body
            exec(compile(ast.fix_missing_locations(wrapper), "<node>", "exec"), names)
            result = names["__node__"]()
            if result is None:
                result = {}
            if not isinstance(result, dict):
                raise TypeError(f"the code of a node returns a dict of values for the state, not {type(result).__name__}")
        else:
            exec(compile(tree, "<node>", "exec"), names)
            skipped = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)
            result = {
                name: value
                for name, value in names.items()
                if name not in known and not name.startswith("_") and not isinstance(value, skipped)
            }
        changed = {key: value for key, value in state.items() if key not in before or before[key] != value}
        return json.dumps({"result": _plain({**changed, **result}, "the result")})
    except Exception as error:
        line = getattr(error, "lineno", None)
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == "<node>":
                line = trace.tb_lineno
            trace = trace.tb_next
        where = f" (line {line})" if line else ""
        said = getattr(error, "msg", None) or str(error)
        out = {"error": f"{type(error).__name__}: {said}{where}"}
        try:
            out["state"] = _plain(state, "state")
        except TypeError:
            pass
        return json.dumps(out)
`;

/** The part of pyodide that is used. */
interface Python {
  runPython(code: string): unknown;
  globals: { get(name: string): unknown };
}
export interface Pyodide {
  loadPyodide(options: object): Promise<Python>;
}

/** @param indexURL where pyodide's files are, if not next to the module that loaded it */
export async function python({ loadPyodide }: Pyodide, indexURL?: string): Promise<RunCode> {
  const silent = () => {};
  const own = indexURL === undefined ? {} : { indexURL };
  const python = await loadPyodide({ ...own, jsglobals: Object.create(null), stdout: silent, stderr: silent });
  python.runPython(PRELUDE);
  const run = python.globals.get('_run') as RunCode;
  python.runPython(
    'import sys\nfor name in ("js", "pyodide_js", "_pyodide_core"):\n    sys.modules[name] = None\ndel sys\n',
  );
  return run;
}
