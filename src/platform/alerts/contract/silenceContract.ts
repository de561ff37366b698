// SPDX-License-Identifier: Apache-2.0
// The contract of silences: for how long nothing is sent about which alerts.

import type { Static } from 'typebox';
import { MAX_LABEL } from '../../../channels/labels.ts';
import { allOptional, integer, recordId, text, time, written } from '../../../http/contract/commonContract.ts';
import { namedBody, namedObject } from '../../../http/contract/named.ts';
import { MAX_SILENCE_MINUTES } from './alertValues.ts';

const end = {
  minutes: integer('How long.', { minimum: 1, maximum: MAX_SILENCE_MINUTES }),
  until: text('The end, ISO 8601 or UNIX seconds, in place of `minutes`. At most four weeks from now.', {
    minLength: 1,
    maxLength: 40,
  }),
};
const reason = text('Why.', { maxLength: 500 });
const matches = {
  rule: recordId,
  channel: recordId,
  label: text('A label: of channels that have it. Case-insensitive.', { minLength: 1, maxLength: MAX_LABEL }),
};

export const alertSilenceBody = namedBody(
  'AlertSilenceBody',
  'For how long nothing is sent about an alert.',
  allOptional({ ...end, reason }),
);

export const silenceBody = namedBody(
  'SilenceBody',
  'Nothing is sent about alerts that have the rule, the channel and the label; at least one of these is required.',
  allOptional({ id: recordId, ...matches, ...end, reason }),
);

export const silenceResponse = namedObject('Silence', {
  id: recordId,
  ...allOptional({ ...matches, reason }),
  until: time,
  ...written,
});

export type SilenceBody = Static<typeof silenceBody>;
export type SilenceResponse = Static<typeof silenceResponse>;
