// SPDX-License-Identifier: Apache-2.0
// Writes deploy/grafana/midroll.json, the Grafana dashboard, from deploy/grafana/panels.mjs: `node scripts/writeDashboard.mjs`.
// With --print, it is written to standard output.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rows } from '../deploy/grafana/panels.mjs';

const COLUMNS = 24;
const SCHEMA_VERSION = 42;
const heightOf = ({ type }) => (type === 'stat' ? 4 : 8);
const datasource = { type: 'prometheus', uid: '$datasource' };

const thresholdsOf = ({ base, thresholds = [], type }) => ({
  mode: 'absolute',
  steps: [
    { color: base ?? (type === 'stat' ? 'red' : 'green'), value: null },
    ...thresholds.map(([value, color]) => ({ color, value })),
  ],
});

function lineDefaults(panel) {
  const { thresholds = [], stacked = false, steps = false } = panel;
  return {
    custom: {
      drawStyle: 'line',
      lineInterpolation: steps ? 'stepAfter' : 'linear',
      lineWidth: 1,
      fillOpacity: stacked ? 30 : 10,
      showPoints: 'never',
      spanNulls: false,
      stacking: { mode: stacked ? 'normal' : 'none', group: 'A' },
      thresholdsStyle: { mode: thresholds.length > 0 ? 'dashed' : 'off' },
    },
    min: 0,
    ...(panel.max === undefined ? {} : { max: panel.max }),
  };
}

const mappingsOf = ({ names }) => {
  if (names === undefined) return [];
  const options = Object.fromEntries(Object.entries(names).map(([value, text], index) => [value, { text, index }]));
  return [{ type: 'value', options }];
};

const statOptions = ({ text }) => ({
  reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
  colorMode: 'value',
  graphMode: 'none',
  justifyMode: 'auto',
  orientation: 'auto',
  textMode: text ?? 'value',
  percentChangeColorMode: 'standard',
  showPercentChange: false,
  wideLayout: true,
});
const lineOptions = {
  legend: { displayMode: 'list', placement: 'bottom', showLegend: true, calcs: [] },
  tooltip: { mode: 'multi', sort: 'desc' },
};

function writePanel(panel, id, gridPos) {
  const { type = 'timeseries', title, description, unit, queries } = panel;
  const isStat = type === 'stat';
  return {
    id,
    type,
    title,
    description,
    gridPos,
    datasource,
    fieldConfig: {
      defaults: {
        unit,
        color: { mode: isStat ? 'thresholds' : 'palette-classic' },
        mappings: mappingsOf(panel),
        thresholds: thresholdsOf(panel),
        ...(isStat ? {} : lineDefaults(panel)),
      },
      overrides: [],
    },
    options: isStat ? statOptions(panel) : lineOptions,
    targets: queries.map(([legendFormat, expr], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource,
      expr,
      legendFormat,
      range: !isStat,
      instant: isStat,
    })),
  };
}

/** Places the panels of each row from left to right, in lines as high as their highest panel. */
function layOut() {
  const panels = [];
  let y = 0;
  const nextId = () => panels.length + 1;
  for (const [title, list] of rows) {
    panels.push({
      id: nextId(),
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
      panels: [],
    });
    y += 1;
    let x = 0;
    let height = 0;
    for (const panel of list) {
      if (x + panel.width > COLUMNS) {
        y += height;
        x = height = 0;
      }
      panels.push(writePanel(panel, nextId(), { x, y, w: panel.width, h: heightOf(panel) }));
      x += panel.width;
      height = Math.max(height, heightOf(panel));
    }
    y += height;
  }
  return panels;
}

const queryVariable = (name, label, query, more) => ({
  type: 'query',
  name,
  label,
  datasource,
  query: { query, refId: name },
  refresh: 2,
  sort: 1,
  hide: 0,
  includeAll: true,
  multi: true,
  options: [],
  ...more,
});
const all = { current: { text: 'All', value: '$__all' } };
/** Every Midroll has this metric from its start on, and nothing else has it. */
const KNOWN_BY = 'midroll_delivery_parcels_set_aside_total';

const dashboard = {
  uid: 'midroll',
  title: 'Midroll',
  description: 'Nodes of a Midroll installation. See docs/monitoring.md.',
  tags: ['midroll'],
  schemaVersion: SCHEMA_VERSION,
  version: 1,
  editable: true,
  graphTooltip: 1,
  time: { from: 'now-6h', to: 'now' },
  refresh: '30s',
  timezone: 'browser',
  links: [],
  annotations: { list: [] },
  templating: {
    list: [
      {
        type: 'datasource',
        name: 'datasource',
        label: 'Data source',
        query: 'prometheus',
        regex: '',
        refresh: 1,
        hide: 0,
        includeAll: false,
        multi: false,
        options: [],
      },
      queryVariable('job', 'Job', `label_values(${KNOWN_BY}, job)`, all),
      queryVariable('instance', 'Node', `label_values(${KNOWN_BY}{job=~"$job"}, instance)`, all),
    ],
  },
  panels: layOut(),
};

const text = `${JSON.stringify(dashboard, null, 2)}\n`;
if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(join(import.meta.dirname, '../deploy/grafana/midroll.json'), text);
