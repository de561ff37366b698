// The rooms of src/ and what each may import (docs/decisions/001-rooms.md). Types count as imports.
// A room may always import itself; tests may import anything.
const mayImport = {
  time: [],
  xml: [],
  mp4: ['time'],
  mpegts: ['time', 'mp4'],
  timeline: ['time', 'xml'],
  subtitles: ['time', 'xml', 'mp4'],
  hls: ['time', 'timeline'],
  dash: ['time', 'xml', 'timeline'],
  vast: ['time', 'xml'],
  mrss: ['time', 'xml'],
  channels: ['time', 'timeline'],
  ads: ['time', 'timeline', 'vast'],
  sessions: ['time', 'timeline', 'ads'],
  tenants: ['time'],
  playback: [
    'time',
    'xml',
    'timeline',
    'hls',
    'dash',
    'vast',
    'mrss',
    'channels',
    'ads',
    'sessions',
    'ingest',
    'tracking',
  ],
  ingest: ['time', 'xml', 'mp4', 'mpegts', 'subtitles', 'timeline', 'hls', 'dash', 'vast', 'channels', 'ads', 'playback'],
  planning: ['time', 'timeline', 'channels', 'ads', 'ingest'],
  reports: ['time', 'timeline', 'vast', 'channels', 'ads', 'sessions', 'tenants', 'playback'],
  cloud: ['time', 'timeline', 'ads', 'ingest', 'channels', 'tenants'],
  tracking: ['time', 'xml', 'timeline', 'vast', 'channels', 'ads', 'sessions'],
};
const pure = ['time', 'xml', 'mp4', 'mpegts', 'timeline', 'subtitles', 'hls', 'dash', 'vast', 'mrss', 'channels', 'ads', 'sessions'];
const notTests = '\\.test\\.ts$';

const roomRules = Object.entries(mayImport).map(([room, others]) => ({
  name: `room-${room}`,
  severity: 'error',
  comment: `src/${room} may import only itself${others.length ? `, ${others.join(', ')}` : ''} and errors.ts`,
  from: { path: `^src/${room}/`, pathNot: notTests },
  to: { path: '^src/', pathNot: `^src/(errors\\.ts$|(${[room, ...others].join('|')})/)` },
}));

module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: 'adapters-know-ports-only',
      severity: 'error',
      from: { path: '^src/adapters/', pathNot: notTests },
      to: { path: '^src/(http/|main\\.ts|app\\.ts)' },
    },
    {
      name: 'http-knows-no-adapter',
      severity: 'error',
      from: { path: '^src/http/', pathNot: notTests },
      to: { path: '^src/(adapters/|main\\.ts|app\\.ts)' },
    },
    {
      name: 'pure-rooms-have-no-effects',
      severity: 'error',
      from: { path: `^src/(${pure.join('|')})/`, pathNot: notTests },
      to: { dependencyTypes: ['core'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'product-imports-no-test-or-demo',
      severity: 'error',
      from: { path: '^src/', pathNot: notTests },
      to: { path: '^(test|demo|bench|scripts)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js'] },
  },
};
