// SPDX-License-Identifier: Apache-2.0
// The contract of ad sources. Which fields one has depends on its type: channels/adSourceFaults.ts.
import { type Static, Type } from 'typebox';
import {
  allOptional,
  closed,
  flag,
  integer,
  labelsField,
  list,
  nameField,
  number,
  object,
  oneOf,
  recordId,
  text,
  time,
  urlText,
  written,
} from '../../../http/contract/commonContract.ts';
import { requestFields, tagFields } from '../../../http/contract/demandContract.ts';
import { namedBody, namedObject } from '../../../http/contract/named.ts';
import { adSourceLimits, DEFAULT_CURRENCY, MAX_CREATIVES } from './adSourceValues.ts';

const optional = Type.Optional;

const creative = closed('A video of yours.', {
  url: urlText('URL of a video file or manifest.'),
  title: text('1 to 200 characters.', { minLength: 1, maxLength: 200 }),
  weight: optional(
    number('How often it is chosen in relation to others.', { exclusiveMinimum: 0, ...adSourceLimits.weight }),
  ),
  from: optional(text('ISO 8601: when it is shown first. Default: now.', { maxLength: 40 })),
  to: optional(text('ISO 8601: until when it is shown. Default: always.', { maxLength: 40 })),
});

const hosts = list(
  Type.String({ maxLength: 260 }),
  'Hosts that receive the certificate besides that of `url`, such as those of its beacons: `host` or `*.example.com`.',
  { maxItems: 20, examples: [['beacons.example.com']] },
);
const subject = text('Whom the certificate names. Ignored in requests.');
const expiresAt = text('ISO 8601: when the certificate ends. Ignored in requests.');

const type = oneOf(
  ['vast', 'openrtb', 'house'],
  '`vast`: an ad server that returns VAST or VMAP. `openrtb`: a bidder or an exchange (OpenRTB 2.6). `house`: videos of yours, without a request.',
);
const common = { name: optional(nameField), labels: optional(labelsField), type };
const ofType = allOptional({
  url: urlText('`vast`, `openrtb`: URL of the ad server. Can contain macros such as [CACHEBUSTING].'),
  ...tagFields,
  ...requestFields,
  maxPerSecond: integer('Requests a second, of all processes. Not limited if omitted.', adSourceLimits.maxPerSecond),
  template: Type.Unsafe<Readonly<Record<string, unknown>>>(
    Type.Object(
      {},
      { description: '`openrtb`: a JSON object that is merged into the bid request. Its texts can contain macros.' },
    ),
  ),
  gzip: flag('`openrtb`: whether the body of requests is compressed. The bidder must support it.', { default: false }),
  currency: text('Three capital letters (ISO 4217): the currency of the floors and of bids. `openrtb`.', {
    pattern: '^[A-Z]{3}$',
    default: DEFAULT_CURRENCY,
  }),
  floor: number('`openrtb`: the least price of a thousand impressions.', adSourceLimits.floor),
  floorPerSecond: number('`openrtb`: the same for each second of the ad.', adSourceLimits.floor),
  creatives: list(creative, '`house`: the videos.', { minItems: 1, maxItems: MAX_CREATIVES }),
});

export const adSourceBody = namedBody('AdSourceBody', 'An ad source, as sent in requests.', {
  id: optional(recordId),
  ...common,
  ...ofType,
  clientCertificate: optional(
    closed('The certificate that Midroll presents to the ad server (mutual TLS). Never returned.', {
      ...allOptional({
        certificate: text('As PEM, with its chain. If it is omitted together with `key`, both are kept.', {
          maxLength: 100_000,
        }),
        key: text('Its private key as PEM, without a password.', { maxLength: 20_000 }),
        hosts,
        subject,
        expiresAt,
      }),
    }),
  ),
});

export const adSourceResponse = namedObject('AdSource', {
  id: recordId,
  ...common,
  ...ofType,
  clientCertificate: optional(
    object('The certificate, without its key.', { subject, expiresAt: optional(time), hosts }),
  ),
  warnings: optional(list(Type.String(), 'What is probably a mistake, such as unknown macros. Not in lists.')),
  ...written,
});

export type AdSourceBody = Static<typeof adSourceBody>;
