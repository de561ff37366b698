// SPDX-License-Identifier: Apache-2.0
// Line icons on a 20 × 20 grid.
const paths = {
  overview: 'M3 13a7 7 0 0 1 14 0M10 13l3-4M5 16h10',
  channels: 'M3 4h6v5H3zM11 4h6v3h-6zM11 9h6v7h-6zM3 11h6v5H3z',
  playlist: 'M3 5h14M3 10h9M3 15h9M15 11v6M12 14h6',
  sources: 'M3 4h5v4H3zM3 12h5v4H3zM8 6h4v8H8M12 10h5M14 7l3 3-3 3',
  sessions: 'M10 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 17c0-3.3 2.7-5 6-5s6 1.7 6 5',
  reports: 'M3 17V3M3 17h14M6 13l4-5 3 3 4-6',
  creatives: 'M3 4h14v12H3zM8 7.5v5l4.5-2.5z',
  systems: 'M3 4h14v5H3zM3 11h14v5H3zM6 6.5h.01M6 13.5h.01',
  keys: 'M7 12a3.5 3.5 0 1 0 0-.01zM9.5 9.5 16 3M13 6l2.5 2.5',
  audit: 'M4 3h9l3 3v11H4zM7 8h6M7 11h6M7 14h4',
  plus: 'M10 4v12M4 10h12',
  close: 'M5 5l10 10M15 5 5 15',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  check: 'M4 10.5l4 4 8-9',
  alert: 'M10 3 2.5 16.5h15zM10 8v4M10 14.5h.01',
  up: 'M10 16V4M5 9l5-5 5 5',
  down: 'M10 4v12M5 11l5 5 5-5',
  grip: 'M7 5h.01M13 5h.01M7 10h.01M13 10h.01M7 15h.01M13 15h.01',
  trash: 'M4 6h12M8 6V4h4v2M6 6l1 10h6l1-10',
  play: 'M6 4v12l10-6z',
  stop: 'M5 5h10v10H5z',
  refresh: 'M16 10a6 6 0 1 1-2-4.5M16 3v3.5h-3.5',
  theme: 'M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14',
  out: 'M12 4h4v12h-4M3 10h9M9 7l3 3-3 3',
  menu: 'M3 6h14M3 10h14M3 14h14',
  eye: 'M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM10 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  download: 'M10 3v9M6 9l4 4 4-4M4 16h12',
  chevron: 'M7 4l6 6-6 6',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6v4l3 2',
  search: 'M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4zM13 13l4 4',
  previous: 'M13 4l-6 6 6 6',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
