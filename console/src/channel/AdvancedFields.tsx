// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import type { FieldError } from '../api/apiError.ts';
import type { ChannelForm, ChannelTextField } from '../channels/channelForm.ts';
import { limitHint } from '../channels/limitHint.ts';
import { errorWithin, fieldError } from '../components/forms/fieldErrors.ts';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';

type AdvancedFieldsProps = {
  readonly form: ChannelForm;
  readonly errors: readonly FieldError[];
  readonly isNew: boolean;
  readonly systems: readonly { readonly value: string; readonly label: string }[];
  readonly field: ChannelTextField;
  set(changed: Partial<ChannelForm>): void;
};

const repeats: Readonly<Record<ChannelForm['repeats'], string>> = {
  inPods: 'Allow within pods',
  allow: 'Allow',
  drop: 'Skip',
};
const markers: Readonly<Record<ChannelForm['markers'], string>> = { strip: 'Remove', pass: 'Keep' };
const resumePolicies: Readonly<Record<ChannelForm['resumePolicy'], string>> = { play: 'Play ads', skip: 'Skip ads' };

/** Slate, bumpers, windows, budgets, tracking and keys: settings with defaults that fit most channels. */
const Group = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <section class="form group">
    <h3>{title}</h3>
    {children}
  </section>
);

/** Slate, bumpers, windows, budgets, tracking and keys: settings with defaults that fit most channels. */
export const AdvancedFields = ({ form, errors, isNew, systems, field, set }: AdvancedFieldsProps) => (
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
        value={form.repeats}
        hint="Within one break. A pod is a sequence of ads that the ad server has ordered. Default: allow within pods."
        options={toOptions(repeats)}
        error={fieldError(errors, '/repeats')}
        onChange={(value) => set({ repeats: value })}
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
            value={form.resumePolicy}
            hint="For sessions that start within the content: play or skip the ads before the start."
            options={toOptions(resumePolicies)}
            error={fieldError(errors, '/resumePolicy')}
            onChange={(resumePolicy) => set({ resumePolicy })}
          />
        </>
      ) : (
        <WindowFields {...{ form, errors, field, set }} />
      )}
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
            value={form.markers}
            hint="Whether viewers' manifests keep the ad markers of the origin. Default: remove."
            options={toOptions(markers)}
            error={fieldError(errors, '/markers')}
            onChange={(value) => set({ markers: value })}
          />
        </>
      ) : null}
    </Group>
    <Group title="Tracking">
      <TrackingFields {...{ form, errors, set }} />
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

type WindowFieldsProps = {
  readonly form: ChannelForm;
  readonly errors: readonly FieldError[];
  readonly field: ChannelTextField;
  set(changed: Partial<ChannelForm>): void;
};

const onOff = { false: 'Off', true: 'On' } as const;

/** What manifests of a linear or live channel list, and how players update them. */
const WindowFields = ({ form, errors, field, set }: WindowFieldsProps) => (
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
      value={form.deltaUpdates}
      hint="With long windows, new sessions load only what has changed in manifests. Leave off for Video.js 8, which can jump at breaks, and for dash.js and Shaka Player before 5.2, which are untested."
      options={toOptions(onOff)}
      error={fieldError(errors, '/deltaUpdates')}
      onChange={(deltaUpdates) => set({ deltaUpdates })}
    />
  </>
);

type TrackingFieldsProps = {
  readonly form: ChannelForm;
  readonly errors: readonly FieldError[];
  set(changed: Partial<ChannelForm>): void;
};

const tracking: Readonly<Record<ChannelForm['tracking'], string>> = { server: 'Server-side', client: 'Client-side' };
const yesNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

/** How beacons are sent, and what players receive and report about ads. */
const TrackingFields = ({ form, errors, set }: TrackingFieldsProps) => (
  <>
    <div class="pair">
      <SelectField
        label="Tracking"
        value={form.tracking}
        hint="Beacons are sent by Midroll or by the player. Default: Midroll."
        options={toOptions(tracking)}
        error={fieldError(errors, '/tracking')}
        onChange={(value) => set({ tracking: value })}
      />
      <SelectField
        label="Accept player confirmations"
        value={form.confirmations}
        hint="Sessions list confirmed events next to delivered ads. Default: no."
        options={yesNo}
        error={fieldError(errors, '/confirmations')}
        onChange={(confirmations) => set({ confirmations })}
      />
    </div>
    <SelectField
      label="Announce ads"
      value={form.announceAds}
      hint="Manifests mark breaks and ads. Players need no SDK, but ad blockers can find them too. Default: yes."
      options={yesNo}
      error={fieldError(errors, '/announceAds')}
      onChange={(announceAds) => set({ announceAds })}
    />
  </>
);
