// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { editedSetting, rebase } from '../components/forms/settings.ts';
import { channelPatch, fromForm, toForm } from './channelForm.ts';

test('rebasing keeps edited fields and updates the others', () => {
  const base = toForm({ id: 'one', name: 'One', playlistSize: 60 });
  const latest = toForm({ id: 'one', name: 'Uno', playlistSize: 90 });
  expect(rebase({ ...base, name: 'First' }, base, latest)).toEqual({ ...latest, name: 'First' });
});

test('options that are not set have their defaults; options that are set are kept', () => {
  const defaults = { type: 'vod2live', repeats: 'inPods', tracking: 'server', announceAds: true, confirmations: false };
  expect(fromForm(toForm({}))).toEqual(defaults);
  const given = {
    type: 'vod2live',
    repeats: 'drop',
    tracking: 'client',
    announceAds: false,
    confirmations: true,
  } as const;
  expect(fromForm(toForm(given))).toEqual(given);
});

test.each(['vod2live', 'live', 'vod'] as const)(
  'ad insertion of a %s channel is sent unless it is stitched',
  (type) => {
    const [stitched, guided] = [toForm({ type }), toForm({ type, insertion: 'guided' })];
    expect(stitched.insertion).toBe('stitched');
    expect(fromForm(stitched)).not.toHaveProperty('insertion');
    expect(fromForm(guided)).toMatchObject({ insertion: 'guided' });
    expect(channelPatch(guided, { ...guided, insertion: 'auto' })).toEqual({ insertion: 'auto' });
    expect(channelPatch(guided, stitched)).toEqual({ insertion: null });
  },
);

test('linear and live channels have markers of their breaks, which are sent unless there are none', () => {
  const stored = { markersOut: 'both', markersOutAhead: 10 } as const;
  for (const type of ['vod2live', 'live'] as const) {
    expect(fromForm(toForm({ type, ...stored }))).toMatchObject(stored);
    expect(fromForm(toForm({ type }))).not.toHaveProperty('markersOut');
  }
  expect(fromForm(toForm({ type: 'vod', ...stored }))).not.toHaveProperty('markersOut');
});

test('a form contains the settings of its type', () => {
  const stored = {
    adSlateManifestUrl: 'https://x/slate.mp4',
    playlistSize: 90,
    deltaUpdates: true,
    contentHosts: ['a.example'],
    vodBudgetMs: 900,
  };
  const vod = { contentHosts: ['a.example'], breakSource: 'auto', vodBudgetMs: 900, resumePolicy: 'play' };
  expect(fromForm(toForm({ ...stored, type: 'vod' }))).toMatchObject(vod);
  for (const setting of ['playlistSize', 'deltaUpdates'])
    expect(fromForm(toForm({ ...stored, type: 'vod' }))).not.toHaveProperty(setting);
  expect(fromForm(toForm(stored))).toMatchObject({ adSlateManifestUrl: 'https://x/slate.mp4', playlistSize: 90 });
  expect(Object.keys(fromForm(toForm(stored)))).not.toEqual(expect.arrayContaining(['contentHosts']));
});

test('a form of a live channel has its origins, and segmentation types in hexadecimal', () => {
  const live = {
    type: 'live' as const,
    sourceManifestUrl: 'https://o.example/m.m3u8',
    preroll: { maxDuration: 30, maxAds: 2 },
    breakFill: 'content' as const,
    maxBreakDuration: 90,
    markers: 'pass' as const,
    segmentationTypes: [52, 54],
  };
  const form = toForm(live);
  expect(form.segmentationTypes).toBe('0x34, 0x36');
  expect(fromForm(form)).toMatchObject(live);
  expect(fromForm({ ...form, segmentationTypes: '52 0x36,nine' }).segmentationTypes).toEqual([52, 0x36, 'nine']);
  const cleared = { ...form, prerollDuration: '', prerollAds: '', segmentationTypes: ' ' };
  expect(channelPatch(form, cleared)).toEqual({ preroll: null, segmentationTypes: null });
});

test('a form of a live channel has its backups in their order; prefetch is sent unless it is off', () => {
  const live = {
    type: 'live' as const,
    backupManifestUrls: ['https://b/', 'https://a/'],
    prefetch: 'decision' as const,
  };
  const form = toForm(live);
  expect(fromForm(form)).toMatchObject(live);
  expect(channelPatch(form, { ...form, backupUrls: ['', ' https://a/ '] })).toEqual({
    backupManifestUrls: ['https://a/'],
  });
  expect(channelPatch(form, { ...form, backupUrls: [' '], prefetch: 'off' })).toEqual({
    backupManifestUrls: null,
    prefetch: null,
  });
});

test.each(['vod2live', 'live'] as const)('delta updates of a %s channel are sent unless they are off', (type) => {
  const [off, on] = [toForm({ type }), toForm({ type, deltaUpdates: true })];
  expect(fromForm(off)).not.toHaveProperty('deltaUpdates');
  expect(fromForm(on)).toMatchObject({ deltaUpdates: true });
  expect(channelPatch(off, { ...off, deltaUpdates: 'true' })).toEqual({ deltaUpdates: true });
  expect(channelPatch(on, { ...on, deltaUpdates: 'false' })).toEqual({ deltaUpdates: null });
});

test.each([undefined, false, true])('an edit of another field keeps delta updates that are %s', (deltaUpdates) => {
  const stored = toForm({ name: 'One', ...(deltaUpdates === undefined ? {} : { deltaUpdates }) });
  expect(channelPatch(stored, { ...stored, name: 'Two' })).toEqual({ name: 'Two' });
  expect(channelPatch(stored, { ...stored, type: 'vod' })).toEqual({ type: 'vod' });
});

test('rows of hosts that are empty are not sent', () => {
  const form = { ...toForm({ type: 'vod' }), contentHosts: ['a.example ', '', ' '] };
  expect(fromForm(form).contentHosts).toEqual(['a.example']);
  expect(fromForm({ ...form, contentHosts: [''] })).not.toHaveProperty('contentHosts');
});

test('a change of the type keeps the settings of the previous type', () => {
  const stored = toForm({ name: 'One', adSlateManifestUrl: 'https://x/slate.mp4' });
  const edited = { ...stored, type: 'vod' as const, contentHosts: ['a.example'], name: '' };
  expect(channelPatch(stored, edited)).toEqual({ type: 'vod', name: null, contentHosts: ['a.example'] });
  expect(channelPatch(stored, stored)).toEqual({});
});

test('hosts that were edited survive a newer version of the channel', () => {
  const base = toForm({ type: 'vod', contentHosts: ['a.example'] });
  const latest = toForm({ type: 'vod', contentHosts: ['b.example'] });
  expect(rebase({ ...base }, { ...base, contentHosts: ['a.example'] }, latest).contentHosts).toEqual(['b.example']);
  expect(rebase({ ...base, contentHosts: ['c.example'] }, base, latest).contentHosts).toEqual(['c.example']);
});

test('names the one setting that an edit changes, of a list the row', () => {
  const form = toForm({ contentHosts: ['a', 'b'] });
  expect(editedSetting(form, form)).toBeUndefined();
  expect(editedSetting(form, { ...form, name: 'x' })).toBe('name');
  expect(editedSetting(form, { ...form, name: 'x', slate: 'y' })).toBeUndefined();
  expect(editedSetting(form, { ...form, contentHosts: ['a', 'bc'] })).toBe('contentHosts 1');
  expect(editedSetting(form, { ...form, contentHosts: ['b', 'a'] })).toBeUndefined();
  expect(editedSetting(form, { ...form, contentHosts: ['a'] })).toBeUndefined();
});

const server = toForm({ adSource: { url: 'https://ads.example.com/vast' } });
const steps = toForm({ adSteps: [{ sources: ['a'] }], adBudgetMs: 1500 });

test('a channel has one ad server or steps', () => {
  expect([server.demand, steps.demand, toForm({}).demand]).toEqual(['server', 'steps', 'server']);
  expect(fromForm(server)).not.toHaveProperty('adSteps');
  expect(fromForm(steps)).toMatchObject({ adSteps: [{ sources: ['a'] }], adBudgetMs: 1500 });
  const both = { ...server, adSteps: steps.adSteps, adBudget: '900' };
  expect(channelPatch(server, both)).toEqual({});
  expect(channelPatch(server, { ...both, demand: 'steps' })).toEqual({
    adSource: null,
    adSteps: [{ sources: ['a'] }],
    adBudgetMs: 900,
  });
  expect(channelPatch(steps, { ...steps, demand: 'server' })).toEqual({ adSteps: null, adBudgetMs: null });
});

test('rules are sent as far as they are set; lists are typed as lines', () => {
  const adRules = {
    separateAdvertisers: 'break',
    maxPerAdvertiser: 2,
    frequencyCaps: [{ per: 'creative', max: 3, hours: 0.5 }],
    blockedAdvertisers: ['Tea, Inc.', 'coffee.example'],
    blockedLanguages: ['en', 'de'],
  } as const;
  const form = toForm({ adRules: structuredClone(adRules) as never });
  expect(fromForm(form).adRules).toEqual(adRules);
  expect(fromForm({ ...form, blockedLanguages: 'fr, it\nes' }).adRules?.blockedLanguages).toEqual(['fr', 'it', 'es']);
  expect(fromForm(toForm({}))).not.toHaveProperty('adRules');
  const cleared = { ...form, frequencyCaps: [], separateAdvertisers: 'no', blockedAdvertisers: ' ' } as const;
  expect(channelPatch(form, cleared)).toEqual({
    adRules: { frequencyCaps: null, separateAdvertisers: null, blockedAdvertisers: null },
  });
});
