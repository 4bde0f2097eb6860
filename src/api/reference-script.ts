/** The script of the reference: tabs that agree on a language, copying, and the reader's token in the samples. */
export const SCRIPT = `
(function () {
  'use strict';
  var root = document.documentElement;
  root.classList.add('js');
  var all = function (selector, inside) { return Array.from((inside || document).querySelectorAll(selector)); };
  var stored = function (value) {
    try {
      if (value === undefined) return localStorage.getItem('samples');
      localStorage.setItem('samples', value);
    } catch (error) { return null; }
  };
  var element = function (name, className, text) {
    var made = document.createElement(name);
    made.type = 'button';
    made.className = className;
    made.textContent = text;
    return made;
  };

  var groups = all('.samples').map(function (box) {
    var figures = all('figure', box);
    var tabs = document.createElement('div');
    tabs.className = 'tabs';
    tabs.setAttribute('role', 'tablist');
    var buttons = figures.map(function (figure) {
      var button = element('button', '', figure.dataset.label);
      button.setAttribute('role', 'tab');
      button.addEventListener('click', function () { choose(figure.dataset.label, group); });
      figure.setAttribute('role', 'tabpanel');
      tabs.append(button);
      return button;
    });
    tabs.addEventListener('keydown', function (event) {
      var step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      var at = buttons.indexOf(document.activeElement);
      if (!step || at < 0) return;
      var next = buttons[(at + step + buttons.length) % buttons.length];
      next.click();
      next.focus();
    });
    if (figures.length > 1) box.prepend(tabs);
    var group = { figures: figures, buttons: buttons, tabs: tabs };
    show(group, 0);
    return group;
  });
  function show(group, index) {
    group.figures.forEach(function (figure, at) { figure.classList.toggle('shown', at === index); });
    group.buttons.forEach(function (button, at) {
      button.setAttribute('aria-selected', String(at === index));
      button.tabIndex = at === index ? 0 : -1;
    });
  }
  function choose(label, pressed) {
    var top = pressed && pressed.tabs.getBoundingClientRect().top;
    groups.forEach(function (group) {
      var index = group.figures.findIndex(function (figure) { return figure.dataset.label === label; });
      if (index >= 0) show(group, index);
    });
    // What was pressed stays where it is, though everything above it changes its height.
    if (pressed) window.scrollBy({ top: pressed.tabs.getBoundingClientRect().top - top, behavior: 'instant' });
    if (pressed) stored(label);
  }
  choose(stored() || 'curl');

  // A browser may leave the question for permission open: after this long the older way is tried.
  var CLIPBOARD_LIMIT_MS = 2000;
  function copied(text) {
    if (!navigator.clipboard) return copiedBySelection(text);
    var unanswered = new Promise(function (resolve, reject) { setTimeout(reject, CLIPBOARD_LIMIT_MS); });
    return Promise.race([navigator.clipboard.writeText(text), unanswered])
      .catch(function () { return copiedBySelection(text); });
  }
  // On an address without TLS that is not this machine there is no clipboard to write to.
  function copiedBySelection(text) {
    return new Promise(function (resolve, reject) {
      var area = document.createElement('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      try {
        if (document.execCommand('copy')) resolve(); else reject(new Error('not copied'));
      } finally { area.remove(); }
    });
  }
  all('figure').forEach(function (figure) {
    var button = element('button', 'copy', 'Copy');
    var sample = figure.querySelector('pre');
    var back;
    var say = function (text, forMs) {
      clearTimeout(back);
      button.textContent = text;
      back = setTimeout(function () { button.textContent = 'Copy'; }, forMs);
    };
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', function () {
      copied(sample.textContent).then(
        function () { say('Copied', 1500); },
        // The browser lets no page write: the sample is selected, and the reader presses the keys.
        function () { getSelection().selectAllChildren(sample); say('Selected: press Ctrl+C', 6000); }
      );
    });
    figure.append(button);
  });

  var key = document.getElementById('key');
  var marks = all('mark').filter(function (mark) { return mark.textContent === '<API_KEY>'; });
  key.addEventListener('input', function () {
    var token = key.value.trim() || '<API_KEY>';
    marks.forEach(function (mark) { mark.textContent = token; });
  });

  var menu = document.getElementById('menu');
  var links = all('nav a[href^="#"]');
  links.forEach(function (link) { link.addEventListener('click', function () { menu.checked = false; }); });
  var observer = new IntersectionObserver(function (entries) {
    entries.forEach(function (entry) {
      if (!entry.isIntersecting) return;
      links.forEach(function (link) {
        if (link.hash === '#' + entry.target.id) link.setAttribute('aria-current', 'true');
        else link.removeAttribute('aria-current');
      });
    });
  }, { rootMargin: '0px 0px -75% 0px' });
  all('section[id]').forEach(function (section) { observer.observe(section); });
})();
`;
