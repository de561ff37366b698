// SPDX-License-Identifier: Apache-2.0
// What the operations of each tag are for, in the order of the OpenAPI document and its page: daily work first, players last.
export const tagTexts: Readonly<Record<string, string>> = {
  channels: 'What viewers open: linear channels, VoD channels and live channels, with their schedules and breaks.',
  playlists: 'Lists of content items with their breaks, and checks of the manifests that they name.',
  'ad-sources':
    'Where the ads of channels come from: ad servers, bidders and videos of yours, for any number of channels.',
  schedules: 'What linear channels show and when: entries at fixed times, rules and breaks.',
  distributors: 'Who republishes a channel: URLs with keys of their own, markers, slate, and the guide.',
  leap: 'What ad partners read: viewers now, and programmes with the viewers and breaks to expect (IAB Tech Lab LEAP).',
  sessions: 'Viewers, and the trace of each of their breaks.',
  beacons: 'The ledger of tracking URLs: what was sent, when, and with which outcome.',
  reports: 'Ad requests, fill, deliveries and viewers over time, as JSON or CSV.',
  assets: 'Creatives and other media that were prepared, with their states and faults.',
  alerts: 'Alert rules, alerts, and the stream of events.',
  webhooks: 'URLs to which events are sent, with their deliveries and secrets.',
  batch: 'Up to 500 changes in one request.',
  deleted: 'Deleted records, which can be restored for a day.',
  keys: 'API keys with their scopes, channels and expiry.',
  access: 'Who makes a request, and the sessions of users who sign in to the console.',
  audit: 'Who changed what, and when.',
  systems:
    'Connections to other systems: where reports are stored, and blob containers that conditioned ads are copied to.',
  installation: 'Facts about this installation, for its console.',
  playback: 'What players request to open a session, and its manifests.',
  ads: 'The ads of a session, for players that show a countdown, links or companions, or report themselves.',
  media: 'Segments of ads, slate and text.',
  status: 'The health and the time of a process.',
};
