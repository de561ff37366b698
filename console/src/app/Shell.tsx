// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { MeResponse } from '../../../src/platform/access/contract/accessContract.ts';
import { useAlerts, useReadsAlerts } from '../alerts/useAlerts.ts';
import { errorMessage } from '../api/apiError.ts';
import { readLocal, storeLocal } from '../api/browserStorage.ts';
import { useInstallation } from '../api/installation.ts';
import { useMe } from '../api/me.ts';
import { serverNow, useNow } from '../api/serverClock.ts';
import { BulkReport } from '../bulk/BulkReport.tsx';
import { Button } from '../components/buttons/Button.tsx';
import { Dialog, DialogFooter } from '../components/dialogs/Dialog.tsx';
import { Badge } from '../components/feedback/Badge.tsx';
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { showToast, Toasts } from '../components/feedback/Toasts.tsx';
import { SelectField } from '../components/forms/SelectField.tsx';
import { HintText } from '../components/hints/useHint.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import icon from '../components/icons/midroll.svg';
import { RecordNames } from '../components/layout/RecordNames.tsx';
import { plural } from '../format/numbers.ts';
import { formatDateTimeSeconds } from '../format/time.ts';
import { browserZone, selectedZone, zoneOffsetName } from '../format/timeZone.ts';
import { pages, unavailable } from '../navigation/pages.ts';
import { openPalette, Shortcuts } from '../palette/Shortcuts.tsx';
import { useMedia } from '../stores/useMedia.ts';
import { storeTimeZone, useTimeZone } from './useTimeZone.ts';
import '../alerts/bell.css';
import { onAlertEvent } from '../api/alertStream.ts';

const isWithin = (location: string, path: string): boolean => location === path || location.startsWith(`${path}/`);

const Brand = () => (
  <Link href="/overview" class="brand">
    <img src={icon} alt="" />
    Midroll
  </Link>
);

/** The navigation around a page. */
export function Shell({ children, onSignOut }: { readonly children: ComponentChildren; onSignOut(): void }) {
  const [location] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const me = useMe();
  const { degraded } = useInstallation();
  const firing = useFiring();
  useAlertToasts();
  const main = useRef<HTMLElement>(null);
  const isFirstPage = useRef(true);
  useEffect(() => {
    setOpen(false);
    // Screen readers start at the top of the new page.
    if (!isFirstPage.current) main.current?.focus();
    isFirstPage.current = false;
    window.scrollTo(0, 0);
  }, [location]);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <div class="top-bar">
        <Brand />
        <AlertBell count={firing} />
        <button
          type="button"
          class="button quiet bare"
          aria-expanded={isOpen}
          aria-controls="navigation"
          aria-label="Menu"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </button>
      </div>
      <nav id="navigation" class={isOpen ? 'open' : ''} aria-label="Main">
        <Brand />
        <Button icon="search" onClick={openPalette}>
          Search <kbd>{/Mac|iP/.test(navigator.platform) ? '⌘K' : 'Ctrl K'}</kbd>
        </Button>
        {pages.map((page) => {
          const { path, title, icon: symbol } = page;
          const isCurrent = isWithin(location, path);
          const hint = unavailable(page, me);
          if (hint !== undefined)
            return (
              <HintText key={path} class="unavailable" hint={hint} isDisabled>
                <Icon name={symbol} />
                {title}
              </HintText>
            );
          return (
            <Link key={path} href={path} aria-current={isCurrent ? 'page' : undefined}>
              <Icon name={symbol} />
              {title}
              {path === '/alerts' ? <AlertCount count={firing} /> : null}
            </Link>
          );
        })}
        {me ? <Account me={me} /> : null}
        <TimeZoneButton />
        <ThemeButton />
        <Button icon="out" onClick={onSignOut}>
          Sign out
        </Button>
      </nav>
      <main ref={main} tabIndex={-1}>
        {degraded === undefined ? null : <Notice tone="warn">{degraded}</Notice>}
        <ErrorBoundary key={location}>{children}</ErrorBoundary>
      </main>
      <Toasts />
      <BulkReport />
      <Shortcuts />
    </div>
  );
}

/** Keeps the navigation usable when a page throws. Its key resets it for another page. */
function ErrorBoundary({ children }: { readonly children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  return <ErrorNotice error={`This page crashed: ${errorMessage(error)}`} onRetry={reset} />;
}

const hints: Readonly<Record<MeResponse['scope'], string>> = {
  read: 'You can read everything except credentials, and change nothing.',
  operate: 'You can insert breaks, switch channels on and off, and retry creatives.',
  manage: 'You can change everything.',
};

/** Who is signed in, and what they may do. */
const Account = ({ me }: { readonly me: MeResponse }) => (
  <div class="account">
    {me.name === undefined ? null : <strong>{me.name}</strong>}
    <span>{me.email}</span>
    <span>{me.tenant}</span>
    <HintText hint={hints[me.scope]} class="hinted plain">
      <Badge tone="calm">{me.scope}</Badge>
    </HintText>
    {me.channels === undefined ? null : (
      <span>
        Channels: <RecordNames kind="channels" ids={me.channels} />
      </span>
    )}
  </div>
);

const NAME = 'midroll-theme';

const stored = readLocal(NAME);
if (stored === 'dark' || stored === 'light') document.documentElement.dataset.theme = stored;

/** Switches between the light and the dark theme; the default is the theme of the system. */
function ThemeButton() {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme);
  const isSystemDark = useMedia('(prefers-color-scheme: dark)');
  const isDark = theme === undefined ? isSystemDark : theme === 'dark';
  const change = () => {
    const next = isDark ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    storeLocal(NAME, next);
    setTheme(next);
  };
  return (
    <Button icon="theme" onClick={change}>
      {isDark ? 'Light' : 'Dark'} theme
    </Button>
  );
}

/** Shows the time zone of all times, and opens a dialog that changes it. */
function TimeZoneButton() {
  const zone = useTimeZone();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="clock" onClick={() => setOpen(true)}>
        <span class="visually-hidden">Time zone: </span>
        {zoneOffsetName(serverNow(), zone)}{' '}
        <small class="zone">{zone === 'UTC' ? '' : zone.split('/').at(-1)?.replaceAll('_', ' ')}</small>
      </Button>
      {isOpen ? <TimeZoneDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const options = [
  { value: '', label: `Browser (${browserZone()})` },
  { value: 'UTC', label: 'UTC' },
  ...Intl.supportedValuesOf('timeZone')
    .filter((zone) => zone !== 'UTC')
    .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
];

/** Selects the time zone of all times on all pages. */
function TimeZoneDialog({ onClose }: { onClose(): void }) {
  const now = useNow();
  const selected = selectedZone.use();
  // A zone that was stored by its other name, such as Asia/Kolkata for Asia/Calcutta.
  const isListed = options.some(({ value }) => value === selected);
  return (
    <Dialog title="Time zone" onClose={onClose}>
      <SelectField
        label="Zone"
        value={selected}
        options={isListed ? options : [...options, { value: selected, label: selected.replaceAll('_', ' ') }]}
        hint={`Now: ${formatDateTimeSeconds(now)}. All times on all pages use it. Stored in this browser.`}
        onChange={storeTimeZone}
      />
      <DialogFooter dismiss="Done" onClose={onClose} />
    </Dialog>
  );
}

const useFiring = (): number => useAlerts().data?.filter(({ state }) => state === 'firing').length ?? 0;

/** How many alerts are firing, in the navigation. */
const AlertCount = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <span class="alert-count">
      {count}
      <span class="visually-hidden"> firing</span>
    </span>
  );

/** The same on narrow screens, where the navigation is closed. */
const AlertBell = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <Link href="/alerts" class="alert-bell" aria-label={`${plural(count, 'alert')} firing`}>
      <Icon name="alert" />
      <span class="alert-count">{count}</span>
    </Link>
  );

/** Shows new alerts on every page. */
function useAlertToasts(): void {
  const isReadable = useReadsAlerts();
  useEffect(() => {
    if (!isReadable) return;
    return onAlertEvent(({ state, text, silenced }) => {
      if (state === 'firing' && !silenced) showToast({ text, tone: 'bad' });
    });
  }, [isReadable]);
}
