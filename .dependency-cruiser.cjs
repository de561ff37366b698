// SPDX-License-Identifier: Apache-2.0
const { pureModules, shellModules, platform, inside } = require('./scripts/architecture.cjs');

/** Constants and rules that the console shares with the server. */
const plainValues =
  '^src/(invariant|ads/request/(preview|macroNames)|vast/macroNotation|channels/sourceName|scheduling/(breakRules|placeInOrder)|platform/access/rules/scope|(http|platform/[a-zA-Z]+)/contract/[a-zA-Z]+Values)\\.ts$';

const moduleRules = Object.entries({ ...pureModules, ...shellModules }).map(([module, others]) => ({
  name: `module-${module}`,
  severity: 'error',
  comment: `src/${module} may import only itself${others.length ? `, ${others.join(', ')}` : ''}, errors.ts and invariant.ts`,
  from: { path: `^src/${module}/` },
  to: { path: '^src/', pathNot: `^src/((errors|invariant)\\.ts$|(${[module, ...others].join('|')})/)` },
}));

const platformRules = Object.entries(platform).map(([feature, others]) => ({
  name: `platform-${feature}`,
  severity: 'error',
  comment: `src/platform/${feature} may use only ${['itself', ...others].join(', ')} of the platform`,
  from: { path: `^src/platform/${feature}/` },
  to: { path: '^src/platform/', pathNot: `^src/platform/(${[feature, ...others].join('|')})/` },
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
    ...platformRules,
    ...folderRules,
    {
      name: 'adapters-know-ports-only',
      severity: 'error',
      from: { path: '^src/adapters/' },
      to: { path: '^src/(http/|composition/|main\\.ts|app\\.ts)' },
    },
    {
      name: 'core-knows-no-platform',
      severity: 'error',
      comment:
        'Modules may not import it by their arrows. The administrative port and stores use the rules of access and audit; adapters implement ports of features.',
      from: { path: '^src/(composition|http|adapters)/' },
      to: {
        path: '^src/platform/',
        pathNot: '^src/platform/((access|audit)/rules/|(reports/rules/ports|systems/rules/cloudTarget)[.]ts$)',
      },
    },
    {
      name: 'live-port-knows-no-platform',
      severity: 'error',
      from: { path: '^src/(composition|http/live)/' },
      to: { path: '^src/platform/' },
    },
    {
      name: 'platform-other-features',
      severity: 'error',
      comment: 'A feature that is not in the table of scripts/architecture.cjs uses access and audit only.',
      from: { path: '^src/platform/([a-z]+)/', pathNot: `^src/platform/(${Object.keys(platform).join('|')})/` },
      to: { path: '^src/platform/', pathNot: '^src/platform/($1|access|audit)/' },
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
      from: { path: `^src/(${Object.keys(pureModules).join('|')})/` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'console-sees-shapes-only',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^src/', pathNot: `^src/(http|platform/[a-zA-Z]+)/contract/[a-zA-Z]+\\.ts$|${plainValues}` },
    },
    {
      name: 'console-takes-plain-values-only',
      severity: 'error',
      comment: 'Types of a contract, and values of modules without imports: no schema ends up in the browser',
      from: { path: '^console/' },
      to: { path: '^src/', pathNot: plainValues, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'plain-values-import-types-only',
      severity: 'error',
      from: { path: plainValues },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'playback-knows-no-schedule',
      severity: 'error',
      comment: 'Playback knows channels by timeline/programme.ts; docs/decisions/001-modules.md',
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
    exclude: { path: '\\.(test|system)\\.tsx?$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js'] },
  },
};
