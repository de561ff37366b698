// SPDX-License-Identifier: Apache-2.0
// What the operations of each tag are for, in the OpenAPI document and on its page.
export const tagTexts: Readonly<Record<string, string>> = {
  systems:
    'Connections to other systems: where reports are stored, and blob containers that conditioned ads are copied to.',
  reports: 'Ad requests, fill, deliveries and viewers over time, as JSON or CSV.',
  playlists: 'Lists of content items with their breaks, and checks of the manifests that they name.',
  batch: 'Up to 500 changes in one request.',
  channels: 'What viewers open: linear channels, VoD channels and live channels, with their schedules and breaks.',
  sessions: 'Viewers, and the trace of each of their breaks.',
  beacons: 'The ledger of tracking URLs: what was sent, when, and with which outcome.',
  installation: 'Facts about this installation, for its console.',
  assets: 'Creatives and other media that were prepared, with their states and faults.',
  keys: 'API keys with their scopes, channels and expiry.',
  access: 'Who makes a request, and the sessions of users who sign in to the console.',
  deleted: 'Deleted records, which can be restored for a day.',
  webhooks: 'URLs to which events are sent, with their deliveries and secrets.',
  alerts: 'Alert rules, alerts, and the stream of events.',
  audit: 'Who changed what, and when.',
  playback: 'What players request to open a session, and its manifests.',
  ads: 'The ads of a session, for players that show a countdown, links or companions, or report themselves.',
  media: 'Segments of ads, slate and text.',
  status: 'The health and the time of a process.',
};
