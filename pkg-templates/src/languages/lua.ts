/** Lua nodes: wasmoon, with a new state for each node and without the libraries that reach beyond it. */
import type { RunCode } from './serve.js';

/** Lists have the metatable `list`, so that an empty one stays a list. Null within a list is `null`, elsewhere nil. */
const PRELUDE = `
local list = { __name = "list" }
local null = setmetatable({}, { __name = "null", __tostring = function() return "null" end })
_G.null = null
local forbidden = { "os", "io", "package", "require", "dofile", "loadfile", "debug", "collectgarbage" }
for _, name in ipairs(forbidden) do _G[name] = nil end

local escapes = { ['"'] = '\\\\"', ['\\\\'] = '\\\\\\\\', ['\\n'] = '\\\\n', ['\\r'] = '\\\\r', ['\\t'] = '\\\\t' }
local function text(value)
  return '"' .. value:gsub('[%c"\\\\]', function(c) return escapes[c] or string.format("\\\\u%04x", c:byte()) end) .. '"'
end

local function json(value, path, levels)
  if levels == 0 then error(path .. " nests deeper than 100 levels", 0) end
  local kind = type(value)
  if value == nil or value == null then return "null" end
  if kind == "boolean" then return tostring(value) end
  if kind == "string" then return text(value) end
  if kind == "number" then
    if math.type(value) == "integer" then
      if value > 9007199254740991 or value < -9007199254740991 then return '{"$integer":"' .. value .. '"}' end
      return tostring(value)
    end
    if value ~= value or value == math.huge or value == -math.huge then error(path .. " is " .. tostring(value) .. ", which JSON cannot hold", 0) end
    return string.format("%.17g", value)
  end
  if kind ~= "table" then error(path .. " is a " .. kind .. ", which JSON cannot hold", 0) end
  local parts = {}
  if getmetatable(value) == list or #value > 0 then
    local count = 0
    for key in pairs(value) do
      if math.type(key) ~= "integer" then error(path .. " is a list that has the key " .. tostring(key), 0) end
      count = math.max(count, key)
    end
    for index = 1, count do parts[index] = json(value[index], path .. "[" .. index .. "]", levels - 1) end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for key, member in pairs(value) do
    parts[#parts + 1] = text(tostring(key)) .. ":" .. json(member, path .. "." .. tostring(key), levels - 1)
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

function __run(code, given)
  local globals = load(given, "=given", "t", { list = function(items) return setmetatable(items, list) end, null = null })()
  for name, value in pairs(globals) do _G[name] = value end
  local chunk, why = load(code, "=node", "t")
  if not chunk then return "{\\"error\\":" .. text(why) .. "}" end
  local ran, result = pcall(chunk)
  if ran and result ~= nil and type(result) ~= "table" then
    ran, result = false, "the code of a node returns a table of values for the state, not a " .. type(result)
  end
  local written, said = true, result
  if ran then written, said = pcall(json, result or {}, "the result", 100) end
  if not ran or not written then return "{\\"error\\":" .. text(tostring(said)) .. "}" end
  return "{\\"result\\":" .. said .. "}"
end
`;

/** JSON as a Lua expression. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'nil';
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `list({${value.map((item) => (item === null ? 'null' : literal(item))).join(',')}})`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, member]) => `[${quoted(key)}]=${literal(member)}`)
      .join(',')}}`;
  }
  return String(value);
}

/** Decimal escapes for everything that is not plain ASCII. */
function quoted(text: string): string {
  let out = '"';
  for (const byte of new TextEncoder().encode(text)) {
    const plain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92;
    out += plain ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`;
  }
  return `${out}"`;
}

/** The part of a Lua state that is used. */
interface LuaEngine {
  doStringSync(code: string): unknown;
  global: { get(name: string): unknown; close(): void };
}
export interface Wasmoon {
  LuaFactory: new (wasm?: string) => { createEngine(options: object): Promise<LuaEngine> };
}

/** @param wasm the address of its WebAssembly, if the loaded module does not know it */
export function lua({ LuaFactory }: Wasmoon, wasm?: string): RunCode {
  const factory = new LuaFactory(wasm);
  return async (code, given) => {
    const engine = await factory.createEngine({ openStandardLibs: true, injectObjects: false, enableProxy: false });
    try {
      engine.doStringSync(PRELUDE);
      const run = engine.global.get('__run') as (code: string, given: string) => string;
      engine.doStringSync('__run = nil');
      const { state, variables, parallel_results } = JSON.parse(given);
      const globals = { state: { parallel_results, ...state }, variables, parallel_results };
      return run(code, `return ${literal(globals)}`);
    } finally {
      engine.global.close();
    }
  };
}
