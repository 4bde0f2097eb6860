import {
  Badge,
  Button,
  Card,
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  type MantineColorsTuple,
  Menu,
  Modal,
  Paper,
  Table,
  Tabs,
  Tooltip,
} from '@mantine/core';

/** The one accent: a green that reads on white (shade 7, 6.3:1) and on dark (shade 4). */
const nidaa: MantineColorsTuple = [
  ...(['#e8f6f1', '#d0ebe1', '#9fd8c3', '#6bc3a3', '#43b189'] as const),
  ...(['#2aa679', '#199c6c', '#0b6e54', '#0a5f49', '#064c3a'] as const),
];

/** Of the dark look: the greys of style.css, at the places where its parts take them from (6: cards and fields, 4: borders). */
const dark: MantineColorsTuple = [
  ...(['#dde3e1', '#bcc4c1', '#a3abb3', '#8b9592', '#3f4946'] as const),
  ...(['#2a302e', '#1c2120', '#181d1c', '#141817', '#0f1211'] as const),
];

const FONT = "'IBM Plex Sans', 'IBM Plex Sans Arabic', system-ui, sans-serif";

/** The head of a dialog is a `header`, and not that of the page. */
const NO_BANNER = { header: { role: 'presentation' } };

export const theme = createTheme({
  colors: { nidaa, dark },
  primaryColor: 'nidaa',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  fontFamily: FONT,
  fontFamilyMonospace: "'IBM Plex Mono', 'IBM Plex Sans Arabic', ui-monospace, monospace",
  headings: {
    fontFamily: FONT,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '2rem' },
      h2: { fontSize: '1.125rem', lineHeight: '1.5rem' },
      h3: { fontSize: '1rem', lineHeight: '1.5rem' },
    },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  components: {
    Badge: Badge.extend({
      defaultProps: { variant: 'light', radius: 'xl' },
      // A word of state that is cut off says nothing.
      styles: { root: { minWidth: 'max-content' }, label: { textTransform: 'none' } },
    }),
    Button: Button.extend({ defaultProps: { size: 'sm' } }),
    Card: Card.extend({ defaultProps: { withBorder: true, radius: 'lg', padding: 'md' } }),
    Drawer: Drawer.extend({ defaultProps: { attributes: NO_BANNER } }),
    // Without it there is something in a menu that is no item of it.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({ defaultProps: { centered: true, radius: 'lg', attributes: NO_BANNER } }),
    Paper: Paper.extend({ defaultProps: { radius: 'lg' } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 'sm', highlightOnHover: true } }),
    Tabs: Tabs.extend({ vars: () => ({ root: { '--tabs-color': 'var(--agent)' } }) }),
    Tooltip: Tooltip.extend({
      defaultProps: { withArrow: true, openDelay: 300, events: { hover: true, focus: true, touch: true } },
    }),
  },
});

/** Its red and orange have less than 4.5:1 on white, and white on them. */
const READABLE = {
  ...{
    '--mantine-color-red-6': '#c02b2b',
    '--mantine-color-red-7': '#b52626',
    '--mantine-color-red-filled': '#b52626',
  },
  ...{ '--mantine-color-red-light-color': '#a82424', '--mantine-color-orange-light-color': '#8a4a00' },
};

/** Its own dimmed grey is too light on our ground. */
export const variables: CSSVariablesResolver = () => {
  const own = {
    '--mantine-color-dimmed': 'var(--quiet)',
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-placeholder': 'var(--quiet)',
  };
  return {
    variables: {},
    light: { ...own, ...READABLE },
    // What cannot be pressed now is seen on a card, which has the colour that it would have.
    dark: {
      ...own,
      '--mantine-color-red-light-color': 'var(--bad)',
      '--mantine-color-disabled': 'var(--mantine-color-dark-5)',
    },
  };
};
