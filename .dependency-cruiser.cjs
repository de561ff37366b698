// SPDX-License-Identifier: Apache-2.0
// The modules of src/ and what each may import (docs/decisions/001-modules.md). Types count as imports.
// A module may always import itself.
const mayImport = {
  time: [],
  cache: [],
  xml: [],
  mp4: ['time'],
  mpegts: ['time', 'mp4'],
  timeline: ['time', 'cache', 'xml'],
  subtitles: ['time', 'xml', 'mp4'],
  hls: ['time', 'cache', 'timeline'],
  dash: ['time', 'cache', 'xml', 'timeline'],
  vast: ['time', 'xml'],
  channels: ['time', 'cache', 'timeline'],
  mrss: ['time', 'xml', 'channels'],
  ads: ['time', 'cache', 'timeline', 'vast'],
  vod: ['time', 'cache', 'timeline', 'vast', 'channels', 'ads'],
  sessions: ['time', 'timeline', 'ads', 'vod'],
  tenants: ['time'],
  playback: [
    'time',
    'cache',
    'xml',
    'timeline',
    'hls',
    'dash',
    'vast',
    'mrss',
    'channels',
    'ads',
    'vod',
    'sessions',
    'tracking',
  ],
  ingest: ['time', 'cache', 'xml', 'mp4', 'mpegts', 'subtitles', 'timeline', 'hls', 'dash', 'vast', 'channels', 'ads'],
  planning: ['time', 'timeline', 'channels', 'ads', 'ingest'],
  reports: ['time', 'timeline', 'vast', 'channels', 'ads', 'sessions', 'tenants', 'playback', 'ingest', 'tracking'],
  cloud: ['time', 'cache', 'timeline', 'ads', 'ingest', 'channels', 'tenants'],
  tracking: ['time', 'xml', 'timeline', 'vast', 'channels', 'ads', 'sessions'],
};
// The folders inside a module, lowest first: each may import only those listed for it. '.' stands for the files directly
// in the module's folder.
const inside = {
  vast: { '.': [], xml: ['.'], read: ['.', 'xml'], write: ['.', 'xml'] },
  timeline: { asset: [], ladder: ['asset'], programme: ['asset', 'ladder'] },
  dash: { '.': [], read: ['.'], write: ['.'] },
  channels: { '.': [], schedule: ['.'] },
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
  },
  tracking: { deliveries: [], beacons: ['deliveries'], feed: [] },
  reports: { '.': [], count: ['.'], flush: ['.', 'count'], query: ['.'] },
  adapters: {
    '.': [],
    http: ['.'],
    spool: ['.'],
    sql: ['.'],
    vast: ['.'],
    media: [],
    search: ['http'],
    cloud: ['http'],
  },
  'adapters/sql': {
    migrations: [],
    '.': ['migrations'],
    channels: ['.'],
    creatives: ['.'],
    sessions: ['.'],
    tenants: ['.'],
    tracking: ['.'],
    reports: ['.', 'tracking'],
  },
  'http/admin': {
    request: [],
    response: [],
    documentation: ['request'],
    routes: ['request', 'response'],
    '.': ['request', 'response', 'documentation', 'routes'],
  },
};
const pure = [
  'time',
  'cache',
  'xml',
  'mp4',
  'mpegts',
  'timeline',
  'subtitles',
  'hls',
  'dash',
  'vast',
  'mrss',
  'channels',
  'ads',
  'vod',
  'sessions',
];

const moduleRules = Object.entries(mayImport).map(([module, others]) => ({
  name: `module-${module}`,
  severity: 'error',
  comment: `src/${module} may import only itself${others.length ? `, ${others.join(', ')}` : ''} and errors.ts`,
  from: { path: `^src/${module}/` },
  to: { path: '^src/', pathNot: `^src/(errors\\.ts$|(${[module, ...others].join('|')})/)` },
}));

const folderRules = Object.entries(inside).flatMap(([module, folders]) => {
  const pathOf = (folder) => (folder === '.' ? `^src/${module}/[^/]+$` : `^src/${module}/${folder}/`);
  return Object.entries(folders).map(([folder, others]) => ({
    name: `folder-${module}/${folder}`,
    severity: 'error',
    comment: `Within src/${module}, ${folder} may import only ${[folder, ...others].join(', ')}`,
    from: { path: pathOf(folder) },
    to: { path: `^src/${module}/`, pathNot: [folder, ...others].map(pathOf).join('|') },
  }));
});

module.exports = {
  forbidden: [
    ...moduleRules,
    ...folderRules,
    {
      name: 'adapters-know-ports-only',
      severity: 'error',
      from: { path: '^src/adapters/' },
      to: { path: '^src/(http/|composition/|main\\.ts|app\\.ts)' },
    },
    {
      name: 'http-knows-no-adapter',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: '^src/(adapters/|composition/|main\\.ts|app\\.ts)' },
    },
    {
      name: 'pure-modules-have-no-effects',
      severity: 'error',
      from: { path: `^src/(${pure.join('|')})/` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'console-sees-shapes-only',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^src/', pathNot: '^src/http/[a-z]+Contract\\.ts$' },
    },
    {
      name: 'console-takes-types-only',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'playback-knows-no-schedule',
      severity: 'error',
      comment: 'Playback knows channels by timeline/programme.ts; docs/decisions/022-programmes.md',
      from: { path: '^src/(playback|http/live)/' },
      to: { path: '^src/channels/schedule/' },
    },
    {
      name: 'no-folder-cycles',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(src|console)/' },
      to: { circular: true },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'product-imports-no-test-or-demo',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|demo|bench|scripts)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Tests may import anything.
    exclude: { path: '\\.test\\.tsx?$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js'] },
  },
};
