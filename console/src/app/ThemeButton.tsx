// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { tryStorage } from '../api/browserStorage.ts';
import { Button } from '../components/buttons/Button.tsx';

const NAME = 'midroll-theme';
const local = () => localStorage;

const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
};

const stored = tryStorage(local, (storage) => storage.getItem(NAME));
if (stored === 'dark' || stored === 'light') document.documentElement.dataset.theme = stored;

/** Switches between the light and the dark theme; the default is the theme of the system. */
export function ThemeButton() {
  const [dark, setDark] = useState(isDark);
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const update = () => setDark(isDark());
    scheme.addEventListener('change', update);
    return () => scheme.removeEventListener('change', update);
  }, []);
  const change = () => {
    const theme = dark ? 'light' : 'dark';
    document.documentElement.dataset.theme = theme;
    tryStorage(local, (storage) => void storage.setItem(NAME, theme));
    setDark(!dark);
  };
  return (
    <Button icon="theme" onClick={change}>
      {dark ? 'Light' : 'Dark'} theme
    </Button>
  );
}
