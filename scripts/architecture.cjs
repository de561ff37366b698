// SPDX-License-Identifier: Apache-2.0
// The rooms of src/: which are pure, and what each may import. .dependency-cruiser.cjs enforces the arrows, checkPurity.mjs the
// purity, and checkLayout.mjs that docs/decisions/001-modules.md shows the same.
//
// Types count as imports. A module may always import itself, errors.ts and invariant.ts.
/** Pure modules depend on their arguments only: no node:*, no clock, no random numbers, nothing asynchronous. */
const pureModules = {
  time: [],
  cache: [],
  xml: ['time'],
  mp4: [],
  mpegts: ['time', 'mp4'],
  timeline: ['time', 'cache'],
  subtitles: ['time', 'xml', 'mp4'],
  hls: ['time', 'cache', 'timeline'],
  dash: ['time', 'cache', 'xml', 'timeline'],
  scte35: ['time', 'xml', 'mp4', 'mpegts'],
  markers: ['time', 'timeline', 'hls', 'dash', 'scte35'],
  vast: ['time', 'xml'],
  channels: ['time', 'cache', 'timeline'],
  mrss: ['time', 'xml', 'channels'],
  ads: ['time', 'cache', 'timeline', 'vast'],
  vod: ['time', 'cache', 'timeline', 'vast', 'channels', 'ads'],
  live: ['time', 'cache', 'timeline', 'hls', 'markers', 'channels', 'ads'],
  sessions: ['time', 'timeline', 'ads', 'vod'],
};
/** Use cases: where rules meet effects. Ports are types; adapters implement them. */
const shellModules = {
  blobs: ['time', 'ads'],
  tracing: [],
  notices: ['time'],
  playback: ['time', 'cache', 'xml', 'timeline', 'vast', 'channels', 'ads', 'vod', 'live', 'sessions', 'tracking'],
  ingest: [
    'time',
    'cache',
    'xml',
    'mp4',
    'mpegts',
    'subtitles',
    'timeline',
    'hls',
    'dash',
    'markers',
    'vast',
    'channels',
    'ads',
    'live',
  ],
  planning: ['time', 'cache', 'xml', 'timeline', 'mrss', 'channels', 'ads', 'vod', 'live', 'ingest'],
  tracking: ['time', 'xml', 'timeline', 'vast', 'channels', 'ads', 'sessions'],
};
// The features of the platform, and the features that each may use. The streaming core, the modules above, imports none.
const platform = {
  access: ['audit', 'systems'],
  alerts: ['access', 'audit', 'reports', 'systems'],
  audit: [],
  deleted: ['audit'],
  history: ['tries'],
  overview: ['access', 'reports', 'systems'],
  problems: ['reports'],
  reports: ['systems'],
  systems: ['audit'],
  tries: ['access'],
};
// The folders inside a module, lowest first: each may import only those listed for it. '.' stands for the files directly
// in the module's folder.
const inside = {
  vast: { '.': [], xml: ['.'], read: ['.', 'xml'], write: ['.', 'xml'] },
  timeline: { asset: [], ladder: ['asset'], programme: ['asset', 'ladder'] },
  dash: { '.': [], read: ['.'], write: ['.'] },
  'dash/read': { '.': [], live: ['.'] },
  channels: { '.': [], inserted: ['.'], schedule: ['.', 'inserted'] },
  ads: {
    creative: [],
    request: [],
    placement: ['creative'],
    pod: ['creative', 'placement'],
    record: ['creative', 'request', 'placement', 'pod'],
  },
  ingest: {
    '.': [],
    source: ['.'],
    measure: ['source'],
    text: ['.', 'source'],
    import: ['.', 'source', 'measure', 'text'],
    package: ['.', 'text'],
    condition: ['.', 'source', 'measure', 'import', 'package'],
    creatives: ['.', 'package', 'condition'],
    live: ['.', 'source', 'measure', 'text', 'import', 'package'],
  },
  'ingest/condition': {
    plan: [],
    fetch: [],
    encode: ['plan', 'fetch'],
    listed: ['fetch'],
    '.': ['plan', 'fetch', 'encode', 'listed'],
  },
  playback: {
    request: [],
    onAir: [],
    viewers: ['onAir'],
    view: ['onAir', 'viewers'],
    decide: ['request', 'onAir', 'viewers', 'view'],
    vod: ['request', 'onAir', 'decide'],
    live: ['onAir'],
  },
  tracking: { deliveries: [], beacons: ['deliveries'], feed: [] },
  adapters: {
    '.': [],
    http: ['.'],
    spool: ['.'],
    sql: ['.'],
    redis: ['.'],
    vast: ['.'],
    media: ['.'],
    cloud: ['.', 'http'],
  },
  'adapters/redis': { scripts: [], '.': ['scripts'] },
  'adapters/sql': {
    sqlite: [],
    measure: [],
    schema: [],
    records: ['schema'],
    '.': ['sqlite', 'measure', 'schema', 'records'],
    channels: ['.', 'records', 'schema'],
    creatives: ['.', 'schema'],
    past: ['.', 'schema'],
    sessions: ['.', 'measure', 'past', 'schema'],
    history: ['.', 'past', 'schema'],
    tracking: ['.', 'schema'],
    live: ['.', 'schema'],
    notices: ['.'],
    maintenance: ['.', 'schema'],
  },
  'http/admin': {
    request: [],
    response: [],
    documentation: ['request'],
    routes: ['request', 'response'],
    '.': ['request', 'response', 'documentation', 'routes'],
  },
};

module.exports = { pureModules, shellModules, platform, inside };
