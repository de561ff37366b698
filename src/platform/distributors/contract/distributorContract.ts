// SPDX-License-Identifier: Apache-2.0
// The contract of distributors and their keys.
import { type Static, Type } from 'typebox';
import { channelLimits } from '../../../http/contract/channelValues.ts';
import {
  flag,
  integer,
  list,
  nameField,
  number,
  oneOf,
  recordId,
  text,
  time,
  urlText,
  written,
} from '../../../http/contract/commonContract.ts';
import { namedBody, namedObject } from '../../../http/contract/named.ts';

const optional = Type.Optional;

const state = oneOf(['enabled', 'disabled'], 'A disabled distributor is rejected.', { default: 'enabled' });
const markersOut = oneOf(
  ['none', 'daterange', 'cue', 'both'],
  'How its manifests mark breaks, as `markersOut` of channels. `none` for a channel that keeps the markers of its origin.',
  { default: 'both' },
);
const fields = {
  markersOutAhead: optional(
    number(
      'Seconds before a break of a linear channel from which on HLS lists its date range. Default: that of the channel.',
      channelLimits.markersOutAhead,
    ),
  ),
  guide: optional(
    Type.Object(
      {
        listFiller: optional(
          flag('Whether filler and slate are listed, with the name of the channel.', { default: false }),
        ),
      },
      { additionalProperties: false, description: 'What its guide lists.' },
    ),
  ),
  slateManifestUrl: optional(
    urlText(
      'URL of the video that its breaks show in place of the slate of the channel. Prepared when the channel is requested first.',
    ),
  ),
};

export const distributorBody = namedBody('DistributorBody', 'A distributor, as sent in requests.', {
  id: optional(recordId),
  name: nameField,
  state: optional(state),
  markersOut: optional(markersOut),
  ...fields,
});

const keyFields = {
  id: text('ID of the key.'),
  hint: text('The first characters of the key.'),
  createdAt: time,
  expiresAt: optional(time),
  lastUsedAt: optional(time),
};
const keyResponse = namedObject('DistributorKey', keyFields);

export const distributorResponse = namedObject('Distributor', {
  id: recordId,
  name: Type.String(),
  state,
  markersOut,
  ...fields,
  lastRequestAt: optional(text('ISO 8601, to the minute: when one of its keys was used last.')),
  keys: list(keyResponse, 'Its keys, without their secrets.'),
  ...written,
});

const secret = text('The key, for the paths of its URLs. Only in this response.');
export const newDistributorResponse = namedObject('NewDistributor', { ...distributorResponse.properties, key: secret });
export const newDistributorKeyResponse = namedObject('NewDistributorKey', { ...keyFields, key: secret });

export const distributorKeyBody = namedBody('DistributorKeyBody', 'A new key.', {
  expiresAt: optional(text('ISO 8601, in the future. Default: it does not expire.', { maxLength: 40 })),
  overlapSeconds: optional(
    integer('Seconds after which the other keys expire. Default: they work until they are revoked.', {
      minimum: 0,
      maximum: 31_536_000,
    }),
  ),
});

export type DistributorBody = Static<typeof distributorBody>;
