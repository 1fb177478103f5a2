"""Cases of names, roles, states and descriptions beyond those of the standards' own tests."""

from typing import Any

# (what it shows, markup with data-testid=t on the element, what describe() says of it)
NAMES = [
    (
        "a hidden label is used when nothing else names the field",
        "<label for=a hidden>Mail</label><input id=a data-testid=t>",
        "Mail",
    ),
    (
        "a visible placeholder is preferred to a hidden label",
        "<label for=a hidden>Mail</label><input id=a placeholder=you@example.org data-testid=t>",
        "you@example.org",
    ),
    (
        "an aria-hidden asterisk is no part of a label",
        "<label>Mail <i aria-hidden=true>*</i><input data-testid=t></label>",
        "Mail",
    ),
    ("two labels are joined", "<label for=a>First</label><label for=a>second</label><input id=a data-testid=t>", "First second"),
    (
        "a password never shows in the name of something else",
        "<label><input type=checkbox data-testid=t>Keep <input type=password value=hunter2> safe</label>",
        "Keep safe",
    ),
    (
        "a referenced password stays secret",
        "<input id=p type=password value=hunter2><a href=# aria-labelledby=p data-testid=t></a>",
        "",
    ),
    (
        "a select in a label gives its choice",
        "<label><input type=checkbox data-testid=t>Every <select><option>day<option selected>week</select></label>",
        "Every week",
    ),
    (
        "a range in a label gives its spoken value",
        "<label><input type=checkbox data-testid=t>At <input type=range aria-valuetext='half past'></label>",
        "At half past",
    ),
    ("a link around an article keeps a name", "<a href=# data-testid=t><article><h2>News</h2></article></a>", "News"),
    (
        "a menu inside a label is not read out",
        "<label><input data-testid=t>Colour <span role=menu><span role=menuitem>red</span></span></label>",
        "Colour",
    ),
    ("block boxes are kept apart", "<button data-testid=t><div>Sign</div><div>up</div></button>", "Sign up"),
    ("inline boxes run together", "<button data-testid=t><b>Sign</b><i>up</i></button>", "Signup"),
    ("an icon stands apart", "<button data-testid=t>Save<img alt=disk src=x>now</button>", "Save disk now"),
    ("a decorative image does not", '<button data-testid=t>Sa<img alt="" src=x>ve</button>', "Save"),
    ("generated text counts", "<style>#b::after{content:' *'}</style><button id=b data-testid=t>Mail</button>", "Mail *"),
    (
        "alternative text stands for generated text",
        "<style>#b::before{content:'★' / 'starred'}</style><button id=b data-testid=t>Mail</button>",
        "starred Mail",
    ),
    (
        "an icon font's glyph does not count",
        r"<style>#b::before{content:'\f123'}</style><button id=b data-testid=t>Mail</button>",
        "Mail",
    ),
    (
        "a nested rule generates too",
        "<style>.x{&::before{content:'New: '}}</style><button class=x data-testid=t>mail</button>",
        "New: mail",
    ),
    ("quotation marks of q count", "<h1 data-testid=t>The <q>word</q></h1>", "The “word”"),
    (
        "a counter is counted",
        "<style>body{counter-reset:c}h2{counter-increment:c}h2::before{content:counter(c,upper-roman) '. '}</style>"
        "<h2>One</h2><h2 data-testid=t>Two</h2>",
        "II. Two",
    ),
    (
        "slots are read through",
        "<div data-testid=t role=button><template shadowrootmode=open>a <slot></slot> c</template>b</div>",
        "a b c",
    ),
    (
        "so are closed roots",
        "<div data-testid=t role=button id=h>b</div><script>h.attachShadow({mode:'closed'}).innerHTML='a <slot></slot> c'</script>",
        "a b c",
    ),
    (
        "a reference reaches the same tree only",
        "<p id=l>outer</p><div><template shadowrootmode=open><p id=l>inner</p>"
        "<button aria-labelledby=l data-testid=t></button></template></div>",
        "inner",
    ),
    (
        "an element may name itself",
        "<button id=a aria-labelledby='a b' aria-label=Delete data-testid=t></button><i id=b>file</i>",
        "Delete file",
    ),
    (
        "a hidden reference gives all its text",
        "<p id=l hidden>one <b hidden>two</b></p><button aria-labelledby=l data-testid=t></button>",
        "one two",
    ),
    (
        "a shown reference leaves out what is hidden",
        "<p id=l>one <b hidden>two</b></p><button aria-labelledby=l data-testid=t></button>",
        "one",
    ),
    ("aria-owns moves content", "<button aria-owns=o data-testid=t>Save</button><i id=o>all</i>", "Saveall"),
    ("circular ownership ends", "<a href=# id=a data-testid=t><b aria-owns=a>Hello</b></a>", "Hello"),
    (
        "visible text in an invisible box counts",
        "<h1 data-testid=t>a <i style=visibility:hidden>b <b style=visibility:visible>c</b></i></h1>",
        "a c",
    ),
    (
        "fields that shadow properties do no harm",
        "<form aria-label=Sign-in data-testid=t><input name=localName><input name=title><input name=id></form>",
        "Sign-in",
    ),
    ("an empty value leaves a button nameless", '<input type=submit value="" data-testid=t>', ""),
    ("a button without value has the browser's word", "<input type=reset data-testid=t>", "Reset"),
    (
        "legend, caption and SVG title name their parents",
        "<svg width=9 height=9 data-testid=t><title>Chart</title></svg>",
        "Chart",
    ),
]

ROLES = [
    ("an unnamed section is no region", "<section data-testid=t>x</section>", "generic"),
    ("a header in an article is not the banner", "<article><header data-testid=t>x</header></article>", "sectionheader"),
    ("nor is a footer in main the content info", "<main><footer data-testid=t>x</footer></main>", "sectionfooter"),
    ("a nested unnamed aside is not complementary", "<article><aside data-testid=t>x</aside></article>", "generic"),
    ("an image without text is still an image", "<img src=x data-testid=t>", "img"),
    ("an image with empty text is none", '<img src=x alt="" data-testid=t>', "none"),
    ("but can take focus", '<img src=x alt="" tabindex=0 data-testid=t>', "img"),
    ("a focusable element keeps its role", "<button role=none data-testid=t>x</button>", "button"),
    ("list items follow their list", "<ul role=presentation><li data-testid=t>x</ul>", "none"),
    ("cells follow their table", "<table role=grid><tr><td data-testid=t>x</table>", "gridcell"),
    ("cells of a presentational table are none", "<table role=none><tr><td data-testid=t>x</table>", "generic"),
    ("a header beside data heads its row", "<table><tr><th data-testid=t>x<td>1</table>", "rowheader"),
    ("a header among headers heads its column", "<table><tr><th>a<th data-testid=t>b<th>c</table>", "columnheader"),
    ("scope decides", "<table><tr><th scope=col data-testid=t>a<td>b</table>", "columnheader"),
    ("unknown words are skipped", "<div role='foo  BUTTON' data-testid=t>x</div>", "button"),
    ("abstract roles are skipped", "<div role='widget link' data-testid=t>x</div>", "link"),
    ("a lone list item role is ignored", "<div role=listitem data-testid=t>x</div>", "generic"),
    ("an owner is a context", "<div role=list aria-owns=i></div><div id=i role=listitem data-testid=t>x</div>", "listitem"),
    ("dpub roles are known", "<section role=doc-chapter data-testid=t>x</section>", "doc-chapter"),
    ("a text field with a list is a combobox", "<input list=l data-testid=t>", "combobox"),
    ("a password field with one is not", "<input type=password list=l data-testid=t>", "textbox"),
    ("a select with rows is a listbox", "<select size=3 data-testid=t></select>", "listbox"),
    (
        "a named shape is a symbol",
        "<svg width=9 height=9><rect width=5 height=5 aria-label=box data-testid=t /></svg>",
        "graphics-symbol",
    ),
    ("an SVG link is a link", "<svg width=9 height=9><a href=# data-testid=t><text>x</text></a></svg>", "link"),
    ("mathematics is math", "<math data-testid=t><mi>x</mi></math>", "math"),
    ("aria-hidden hides", "<button aria-hidden=true data-testid=t>x</button>", "none"),
    ("inert hides", "<div inert><button data-testid=t>x</button></div>", "none"),
    ("closed details hide", "<details><summary>s</summary><button data-testid=t>x</button></details>", "none"),
    ("content-visibility hides", "<div style=content-visibility:hidden><button data-testid=t>x</button></div>", "none"),
    (
        "unslotted children are not there",
        "<div><template shadowrootmode=open></template><button data-testid=t>x</button></div>",
        "none",
    ),
    ("display:contents does not hide", "<button style=display:contents data-testid=t>x</button>", "button"),
    ("an option of a closed select is there", "<select><option data-testid=t>x</select>", "option"),
]

STATES: list[tuple[str, str, dict[str, Any]]] = [
    (
        "a role without a state does not get it",
        "<div role=img aria-label=x aria-pressed=true aria-sort=ascending aria-posinset=2 aria-setsize=3 aria-required=true "
        "aria-multiselectable=true aria-autocomplete=list data-testid=t></div>",
        {},
    ),
    ("a fieldset disables its fields", "<fieldset disabled><input data-testid=t></fieldset>", {"disabled": True}),
    ("but not those of its legend", "<fieldset disabled><legend><input data-testid=t></legend></fieldset>", {}),
    ("aria-disabled is inherited", "<div aria-disabled=true><button data-testid=t>x</button></div>", {"disabled": True}),
    ("and can be undone", "<div aria-disabled=true><button aria-disabled=false data-testid=t>x</button></div>", {}),
    (
        "an indeterminate checkbox is mixed",
        "<input id=c type=checkbox data-testid=t><script>c.indeterminate=true</script>",
        {"checked": "mixed"},
    ),
    ("the native state wins", "<input type=checkbox checked aria-checked=false data-testid=t>", {"checked": True}),
    ("a switch is never mixed", "<div role=switch aria-checked=mixed data-testid=t></div>", {"checked": False}),
    (
        "a summary says whether its details are open",
        "<details open><summary data-testid=t>x</summary></details>",
        {"expanded": True},
    ),
    (
        "a popover's button says whether it is open",
        "<button popovertarget=p data-testid=t>x</button><div popover id=p>y</div>",
        {"expanded": False},
    ),
    (
        "so does a command's",
        "<button commandfor=p command=toggle-popover data-testid=t>x</button><div popover id=p>y</div>",
        {"expanded": False},
    ),
    ("expanded means nothing on a heading", "<h2 aria-expanded=true data-testid=t>x</h2>", {"level": 2}),
    (
        "a level is counted by nested groups",
        "<div role=tree><div role=treeitem>a<div role=group><div role=treeitem data-testid=t>b</div></div></div></div>",
        {"level": 2},
    ),
    (
        "a grid's cells inherit readonly",
        "<div role=grid aria-readonly=true><div role=row><span role=gridcell data-testid=t>x</span></div></div>",
        {"readonly": True},
    ),
    ("a shown modal dialog is modal", "<dialog id=d data-testid=t>x</dialog><script>d.showModal()</script>", {"modal": True}),
    ("an unknown current value is true", "<a href=# aria-current=foo data-testid=t>x</a>", {"current": True}),
    ("a password field has no value text", "<input type=password value=hunter2 data-testid=t>", {}),
    (
        "a slider has a middle",
        "<div role=slider aria-valuemin=10 aria-valuemax=20 data-testid=t></div>",
        {"valuemin": 10, "valuemax": 20, "valuenow": 15},
    ),
    ("an indeterminate progress bar has no value", "<progress data-testid=t></progress>", {"valuemin": 0, "valuemax": 1}),
]

DESCRIPTIONS = [
    (
        "aria-describedby comes first",
        "<p id=d>Long</p><a href=# aria-describedby=d aria-description=Short title=T data-testid=t>x</a>",
        "Long",
    ),
    ("then aria-description", "<a href=# aria-description=Short title=T data-testid=t>x</a>", "Short"),
    ("then an unused title", "<a href=# title=T data-testid=t>x</a>", "T"),
    ("a title that is the name describes nothing", "<button title=T data-testid=t></button>", ""),
    ("a hidden description counts", "<p id=d hidden>Long</p><a href=# aria-describedby=d data-testid=t>x</a>", "Long"),
    ("a broken reference is none", "<a href=# aria-describedby=nope title=T data-testid=t>x</a>", "T"),
    ("an unused caption describes its table", "<table aria-label=L data-testid=t><caption>C</caption><tr><th>x</table>", "C"),
]
