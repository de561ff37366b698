// No folder depends on itself by way of another one. A second configuration, because tests may import anything and a rule
// about folders cannot leave them out.
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [{ name: 'no-folder-cycles', severity: 'error', scope: 'folder', from: {}, to: { circular: true } }],
  options: { ...options, exclude: { path: '\\.test\\.tsx?$|^test/' } },
};
