// SPDX-License-Identifier: Apache-2.0
// Creates a playlist and a channel, waits until the channel is on air, opens a session and lists the sessions. The types in
// schema.ts are generated from the OpenAPI document of a running Midroll: npm run build.
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

const {
  ADMIN_URL = 'http://127.0.0.1:8080',
  LIVE_URL = 'http://127.0.0.1:8081',
  API_KEY = 'demo-key',
  CONTENT_URL = 'http://127.0.0.1:8090/hills/master.m3u8',
  AD_SERVER_URL = 'http://127.0.0.1:8091/vast?session=[SESSION_ID]&duration=[BREAK_DURATION]&max=[BREAK_MAX_ADS]',
} = process.env;

const client = createClient<paths>({ baseUrl: ADMIN_URL, headers: { 'x-api-key': API_KEY } });
const live = createClient<paths>({ baseUrl: LIVE_URL });
const wait = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000));

type Outcome<Data> = { data?: Data; error?: components['schemas']['Error'] };

/** The body of a response. @throws with the message of an error */
async function read<Data>(request: Promise<Outcome<Data>>): Promise<Data> {
  const { data, error } = await request;
  if (error) throw new Error(error.message);
  return data as Data;
}

const playlist = await read(
  client.POST('/api/v2/playlists', {
    body: {
      status: 'enabled',
      contents: [
        {
          sourceType: 'url',
          url: CONTENT_URL,
          spliceType: 'percent',
          cuePoints: [{ spliceTime: 50, maxDuration: 20, maxAds: 2 }],
        },
      ],
    },
  }),
);
console.log(`Created playlist ${playlist.id}.`);

const channel = await read(
  client.POST('/api/v2/channels', {
    body: { state: 'enabled', playlistId: playlist.id, adSource: { url: AD_SERVER_URL } },
  }),
);
console.log(`Created channel ${channel.id}.`);

/** The status of the channel, once its preparation has ended. */
async function untilPrepared(id: string): Promise<components['schemas']['Channel']> {
  for (;;) {
    const current = await read(client.GET('/api/v2/channels/{id}', { params: { path: { id } } }));
    if (current.state === 'failed') throw new Error(current.stateReason);
    if (current.items && !current.preparation) return current;
    await wait(1);
  }
}
const { items = [] } = await untilPrepared(channel.id);
for (const { url, state } of items) console.log(`${url} is ${state}.`);

// What a player does. The channel's key was generated, because the body contains none.
const opened = await read(
  live.GET('/hls/view/{channelId}', {
    params: { path: { channelId: channel.id }, query: { 'api-key': channel.apiKey } },
  }),
);
console.log(`Playback URL: ${opened.mediaURL}`);

const sessions = await read(
  client.GET('/api/v2/channels/{id}/sessions', { params: { path: { id: channel.id }, query: { limit: 10 } } }),
);
for (const session of sessions) console.log(`Session ${session.id} was opened at ${session.openedAt}.`);
