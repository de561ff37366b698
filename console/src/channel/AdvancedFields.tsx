// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import type { ChannelForm, SettingProps } from '../channels/channelForm.ts';
import { insertionNames } from '../channels/insertionNames.ts';
import { markerNames } from '../channels/markerNames.ts';
import { errorWithin, fieldError } from '../components/forms/fieldErrors.ts';
import { SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { limitHint } from '../format/limitHint.ts';

type AdvancedFieldsProps = SettingProps & {
  readonly isNew: boolean;
  readonly systems: readonly { readonly value: string; readonly label: string }[];
};

const repeats: Readonly<Record<ChannelForm['repeats'], string>> = {
  inPods: 'Allow within pods',
  allow: 'Allow',
  drop: 'Skip',
};
const markers: Readonly<Record<ChannelForm['markers'], string>> = { strip: 'Remove', pass: 'Keep' };
const resumePolicies: Readonly<Record<ChannelForm['resumePolicy'], string>> = { play: 'Play ads', skip: 'Skip ads' };

const Group = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <section class="form group">
    <h3>{title}</h3>
    {children}
  </section>
);

/** Slate, bumpers, windows, budgets, tracking and keys: settings with defaults that fit most channels. */
export const AdvancedFields = ({ isNew, systems, ...settings }: AdvancedFieldsProps) => {
  const { form, errors, field, choice, set } = settings;
  return (
    <div class="groups">
      <Group title="Breaks">
        {form.type === 'vod' ? null : (
          <TextField
            label="Slate URL"
            type="url"
            {...field('slate')}
            hint="Video file or manifest. Leave empty for the built-in slate."
          />
        )}
        <TextField
          label="Intro bumper URL"
          type="url"
          {...field('intro')}
          hint="Shown before the first ad. Default: none."
        />
        <TextField
          label="Outro bumper URL"
          type="url"
          {...field('outro')}
          hint="Shown at the end of a break with ads. Default: none."
        />
        <div class="pair">
          <TextField
            label="Fill threshold (s)"
            {...field('fillThreshold')}
            hint={`Least time left in a break to add another ad. ${limitHint('fillThreshold')}`}
          />
          {form.type === 'live' ? (
            <TextField
              label="Longest break (s)"
              {...field('maxBreakDuration')}
              hint={`For breaks without an end and a duration. ${limitHint('maxBreakDuration')}`}
            />
          ) : (
            <TextField
              label="Default break (s)"
              {...field('breakDuration')}
              hint={`For cue points without a duration. ${limitHint('breakDuration')}`}
            />
          )}
        </div>
        <SelectField
          label="Repeated creatives"
          {...choice('repeats', repeats)}
          hint="Within one break. A pod is a sequence of ads that the ad server has ordered. Default: allow within pods."
        />
      </Group>
      <Group title={form.type === 'vod' ? 'Sessions' : 'Manifests'}>
        {form.type === 'vod' ? (
          <>
            <TextField
              label="Decision budget (ms)"
              {...field('vodBudgetMs')}
              hint={`Time to decide all breaks of a session. ${limitHint('vodBudgetMs')}`}
            />
            <SelectField
              label="Resume policy"
              {...choice('resumePolicy', resumePolicies)}
              hint="For sessions that start within the content: play or skip the ads before the start."
            />
          </>
        ) : (
          <WindowFields {...settings} />
        )}
        {form.type === 'vod' ? null : <MarkerFields {...settings} />}
        {form.type === 'live' ? (
          <>
            <TextField
              label="Segmentation types"
              {...field('segmentationTypes')}
              error={errorWithin(errors, '/segmentationTypes')}
              hint="SCTE-35 types that start breaks, such as 0x34, 0x36. Leave empty for the usual ones."
            />
            <SelectField
              label="Origin markers"
              {...choice('markers', markers)}
              hint="Whether viewers' manifests keep the ad markers of the origin. Default: remove."
            />
          </>
        ) : null}
      </Group>
      <Group title="Tracking">
        <TrackingFields {...settings} />
        <SelectField
          label="System"
          value={form.systemId}
          hint="Stores report events. A cloud system also hosts creatives. Default: this installation."
          options={[{ value: '', label: 'This installation' }, ...systems]}
          error={fieldError(errors, '/systemId')}
          onChange={(systemId) => set({ systemId })}
        />
      </Group>
      <Group title="Access">
        <TextField
          label="Channel key"
          {...field('apiKey')}
          hint={
            isNew
              ? 'Players send it as api-key. Leave empty for a random key.'
              : 'Players send it as api-key. A new key disconnects current viewers. Leave empty to keep the key.'
          }
        />
        <TextField
          label="Signing secret"
          {...field('signingSecret')}
          hint="If set, players can open sessions only with signed URLs. Default: none."
        />
      </Group>
    </div>
  );
};

const onOff = { false: 'Off', true: 'On' } as const;

/** What manifests of a linear or live channel list, and how players update them. */
const WindowFields = ({ field, choice }: SettingProps) => (
  <>
    <div class="pair">
      <TextField
        label="Playlist window (s)"
        {...field('playlistSize')}
        hint={`How much a manifest lists. ${limitHint('playlistSize')}`}
      />
      <TextField
        label="Time-shift window (s)"
        {...field('timeShiftWindow')}
        hint={`How far before the live edge a session can start. ${limitHint('timeShiftWindow')}`}
      />
    </div>
    <SelectField
      label="Delta updates"
      {...choice('deltaUpdates', onOff)}
      hint="With long windows, new sessions load only what has changed in manifests. Leave off for Video.js 8, which can jump at breaks, and for dash.js and Shaka Player before 5.2, which are untested."
    />
  </>
);

/** How breaks are marked for those who replace them downstream. */
const MarkerFields = ({ form, field, choice }: SettingProps) => (
  <>
    <SelectField
      label="Break markers"
      {...choice('markersOut', markerNames)}
      hint="SCTE-35 markers of the channel's breaks, for distributors that insert their own ads. MPDs have events with any of these. Default: none."
    />
    {form.type === 'vod2live' && form.markersOut !== 'none' && form.markersOut !== 'cue' ? (
      <TextField
        label="Announce ahead (s)"
        {...field('markersOutAhead')}
        hint={`How long before a break its date range is listed. ${limitHint('markersOutAhead')}`}
      />
    ) : null}
  </>
);

const tracking: Readonly<Record<ChannelForm['tracking'], string>> = { server: 'Server-side', client: 'Client-side' };
const yesNo = { true: 'Yes', false: 'No' } as const;

/** How beacons are sent, and what players receive and report about ads. */
const TrackingFields = ({ choice }: SettingProps) => (
  <>
    <div class="pair">
      <SelectField
        label="Tracking"
        {...choice('tracking', tracking)}
        hint="Beacons are sent by Midroll or by the player. Default: Midroll."
      />
      <SelectField
        label="Accept player confirmations"
        {...choice('confirmations', yesNo)}
        hint="Sessions list confirmed events next to delivered ads. Default: no."
      />
    </div>
    <SelectField
      label="Ad insertion"
      {...choice('insertion', insertionNames)}
      hint="Stitched: Midroll puts the ads into each viewer's stream; every player can play it. Guided: all viewers share one stream, and the player inserts the ads that Midroll lists. Automatic: guided where the player is known to do it well. Default: stitched."
    />
    <SelectField
      label="Announce ads"
      {...choice('announceAds', yesNo)}
      hint="Manifests mark breaks and ads. Players need no SDK, but ad blockers can find them too. Default: yes."
    />
  </>
);
