// SPDX-License-Identifier: Apache-2.0
// Parameters of lists: pages, searching, filtering and sorting.
import { Type } from 'typebox';
import { filterText, integer, labelFilter, list, oneOf, text, textMap } from './commonContract.ts';
import { namedObject } from './named.ts';

const optional = Type.Optional;

const sortOf = (fields: readonly string[]) =>
  optional(
    Type.Enum(
      fields.flatMap((field) => [field, `-${field}`]),
      { description: 'Field to sort by; `-` for the opposite order. Default: `-createdAt`, the newest first.' },
    ),
  );

const search = filterText(200, 'Occurs in the ID or the name. Case-insensitive.');
const cursor = optional(
  text('`x-next-cursor` of the previous page, with the same parameters. Replaces `offset`.', { maxLength: 4000 }),
);
const recordSort = sortOf(['createdAt', 'modifiedAt', 'name']);
const recordType = (types: string[]) => optional(oneOf(types, 'Only records of this type.'));

export const playlistFilter = {
  q: search,
  sort: recordSort,
  cursor,
  type: recordType(['vod2live', 'vod']),
  status: optional(oneOf(['enabled', 'disabled'], 'Only playlists with this status.')),
  label: labelFilter,
};

export const channelFilter = {
  problem: optional(
    oneOf(
      ['any', 'ad-server', 'creative', 'state'],
      'Only channels with a problem, of any kind or of this kind: their ad server fails, a creative cannot be prepared, or they do not play as configured.',
    ),
  ),
  q: search,
  sort: recordSort,
  cursor,
  type: recordType(['vod2live', 'vod', 'live']),
  state: optional(
    oneOf(
      ['enabled', 'disabled'],
      'Only channels with this state. `enabled` includes those that cannot play and are listed as `failed`.',
    ),
  ),
  playlist: filterText(128, 'ID of a playlist: only channels that play it.'),
  adSource: filterText(128, 'ID of an ad source: only channels whose steps list it.'),
  label: labelFilter,
};

export const adSourceFilter = {
  q: search,
  sort: recordSort,
  cursor,
  type: recordType(['vast', 'openrtb', 'house']),
  label: labelFilter,
};

export const assetListFilter = {
  q: filterText(
    200,
    'Occurs in the ID, a name that the ad server uses, or the source URL, whose secrets are masked. Case-insensitive.',
  ),
  sort: sortOf(['createdAt', 'madeAt']),
  cursor,
  kind: optional(oneOf(['creative', 'slate'], 'Only assets of this kind.')),
};

const ids = (records: string) => filterText(4000, `IDs of ${records}, separated by commas; at most 100.`);
export const namesQuery = Type.Object({
  channels: ids('channels'),
  playlists: ids('playlists'),
  systems: ids('systems'),
  adSources: ids('ad sources'),
});
const names = (records: string) => textMap(`Names of ${records} by ID. Absent without a name.`);
export const namesResponse = namedObject('Names', {
  channels: names('channels'),
  playlists: names('playlists'),
  systems: names('systems'),
  adSources: names('ad sources'),
});

const labelCounts = (records: string) =>
  list(
    Type.Object({ label: text('As it is written first.'), count: integer(`Number of ${records} that have it.`) }),
    `Labels of ${records}, in alphabetical order.`,
  );
export const labelsResponse = namedObject('Labels', {
  channels: labelCounts('channels'),
  playlists: labelCounts('playlists'),
  adSources: labelCounts('ad sources'),
});
