// SPDX-License-Identifier: Apache-2.0
// Where the ads of a channel come from: its ad source, or steps of ad sources, with rules and hooks. Rules that a schema cannot
// express are in channels/demandFaults.ts.
import { Type } from 'typebox';
import {
  channelDefaults,
  channelLimits,
  demandLimits,
  MAX_BLOCKED,
  MAX_FREQUENCY_CAPS,
  MAX_SOURCES_OF_STEP,
  MAX_STEPS,
} from './channelValues.ts';
import {
  allOptional,
  closed,
  integer,
  labelsField,
  list,
  NO_CONTROLS,
  number,
  oneOf,
  recordId,
  text,
  textMap,
  urlText,
} from './commonContract.ts';

const optional = Type.Optional;

const texts = (description: string) => textMap(description, Type.String({ maxLength: 4096 }), { maxProperties: 50 });

/** How ad requests are made. */
export const requestFields = allOptional({
  headers: texts('Headers of the ad request.'),
  timeoutMs: integer('Milliseconds for a request with its wrappers and redirects.', channelLimits.timeoutMs),
});
export const tagFields = allOptional({
  method: Type.Enum(['GET', 'POST'], { default: channelDefaults.method }),
  params: texts('Query parameters that are added to the URL.'),
});

export const adSource = closed('The ad server of a channel and how ad requests are made. Not used with `adSteps`.', {
  url: urlText('URL of the ad server. Can contain macros such as [CACHEBUSTING].'),
  ...tagFields,
  ...requestFields,
  labels: optional(labelsField),
});

const adStep = closed('Ad sources that are requested at once.', {
  sources: list(recordId, 'IDs of ad sources; each once in a channel.', {
    minItems: 1,
    maxItems: MAX_SOURCES_OF_STEP,
    examples: [['exchange', 'direct']],
  }),
  timeShare: optional(
    integer(
      'Percent of `adBudgetMs` that the step may use; at most 100 in all steps. Default: an equal part of what is left.',
      demandLimits.timeShare,
    ),
  ),
  request: optional(
    oneOf(
      ['break', 'rest'],
      'What is requested: the whole break, or the seconds and ads that earlier steps left free.',
      { default: channelDefaults.stepRequest },
    ),
  ),
});

const separation = (what: string) =>
  oneOf(
    ['adjacent', 'break'],
    `Whether two ads of one ${what} may be in a break: not next to each other (\`adjacent\`), or not at all (\`break\`). Not limited if omitted.`,
  );
const blocked = (what: string) =>
  list(Type.String({ minLength: 1, maxLength: 200, pattern: NO_CONTROLS }), `${what} whose ads are not shown.`, {
    maxItems: MAX_BLOCKED,
  });

const frequencyCap = closed('At most so many ads for one viewer in so many hours.', {
  per: oneOf(['creative', 'advertiser'], 'What is counted.'),
  max: integer('The most ads.', demandLimits.capMax),
  hours: number('In so many hours.', demandLimits.capHours),
});

const adRules = closed('Which ads can be shown, and next to which.', {
  ...allOptional({
    separateAdvertisers: separation('advertiser'),
    separateCategories: separation('category'),
    maxPerAdvertiser: integer('The most ads of an advertiser in a break.', demandLimits.maxPerAdvertiser),
    frequencyCaps: list(frequencyCap, 'All hold.', { maxItems: MAX_FREQUENCY_CAPS }),
    viewerParameter: text(
      '1 to 64 letters, digits or ._~-: the query parameter of the playback URL that identifies a viewer for `frequencyCaps`. Default: the session.',
      { pattern: '^[A-Za-z0-9._~-]{1,64}$', examples: ['viewer'] },
    ),
    blockedAdvertisers: blocked('Domains or names of advertisers'),
    blockedCategories: blocked('Content categories'),
    blockedCreatives: blocked('IDs of creatives'),
    blockedLanguages: blocked('Languages (ISO 639-1)'),
  }),
});

const adHooks = closed('URLs of yours that can change ad requests and their ads.', {
  ...allOptional({
    requestUrl: urlText('Called before each request to an ad source. An http or https URL.'),
    adsUrl: urlText('Called after the ad responses of all steps, before ads are chosen. An http or https URL.'),
    timeoutMs: integer('Milliseconds for each call.', demandLimits.hookTimeoutMs),
    secret: text(
      '`whsec_` and 32 to 88 characters of base64. It signs calls as that of a webhook does. Random if omitted. Responses contain it, so keep them confidential.',
      {
        pattern: '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$',
        examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
      },
    ),
  }),
});

export const demandFields = allOptional({
  adSource,
  adSteps: list(
    adStep,
    'Steps of ad sources, which are requested one after the other until the break is full. They replace `adSource`.',
    { minItems: 1, maxItems: MAX_STEPS },
  ),
  adBudgetMs: integer('Milliseconds for all steps of a break.', channelLimits.adBudgetMs),
  adRules,
  adHooks,
});
