// SPDX-License-Identifier: Apache-2.0
// A script of the store: Lua that changes the keys of one part at once. Its only declared key is the prefix of the part, which
// determines the node; all others begin with it.
import { createHash } from 'node:crypto';

export type Script = { readonly name: string; readonly text: string; readonly sha: string };

/** What all scripts share: the names of keys, and the clock of the server in milliseconds. */
const preamble = `
local base = KEYS[1]
local function sessionKey(id) return base .. 's:' .. id end
local function recordsKey(id) return base .. 'r:' .. id end
local function orderKey(id) return base .. 'i:' .. id end
local function endedKey(id) return base .. 'x:' .. id end
local function eventsKey(id) return base .. 'e:' .. id end
local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
`;

export function createScript(name: string, body: string): Script {
  const text = preamble + body;
  return { name, text, sha: createHash('sha1').update(text).digest('hex') };
}
