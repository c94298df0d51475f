/**
 * THE table of words that mean the same, folded: at most 300. In each line are English words that catalogues use, and
 * after the arrow what else people type for them, in English, German, Spanish and French, in the singular. Words before
 * the arrow find each other; those after it find them, but not the other way round.
 */
const MEANINGS = `
licence license ← lizenz licencia
catalogue catalog ← katalog catalogo
colour color
centre center
fibre fiber
harbour harbor
labour labor
neighbourhood neighborhood
organisation organization
programme program
aluminium aluminum
sulphur sulfur
plane airplane aeroplane aircraft ← flugzeug avion
flight ← flug vuelo vol
airport ← flughafen aeropuerto aeroport
airline carrier ← fluggesellschaft aerolinea
delay ← punctuality verspatung retraso retard retarde retardee
crash collision strike ← schlag unfall choque accidente
bird ← vogel ave pajaro oiseau
car automobile ← auto coche voiture
train rail ← zug bahn tren
film movie ← pelicula
rain rainfall precipitation ← regen niederschlag lluvia pluie
weather ← wetter tiempo clima meteo meteorologia
wind ← viento vent
temperature ← temperatur temperatura
snow ← schnee nieve neige
earthquake quake tremor ← seismic seismology erdbeben beben terremoto sismo seisme
jobs employment ← arbeit empleo emploi
unemployment joblessness ← arbeitslosigkeit desempleo chomage
climate ← klima climat warming
carbon ← kohlenstoff kohlendioxid carbono carbone
co2 ← warming greenhouse emission treibhausgas treibhaus invernadero
compatibility ← caniuse
browser ← navegador navigateur
language ← sprache idioma lengua langue
country ← land pais pays
city town ← stadt ciudad ville
population ← bevolkerung poblacion
river ← fluss rio riviere
water ← wasser agua eau
penguin ← pinguin pinguino manchot pingouin
animal ← tier
species ← art especie espece
island ← insel isla ile
zip ← postcode postleitzahl plz
postal ← postcode
code ← codigo kennzahl
bcp ← bcp47
software ← logiciel logicielle
type ← typ tipo
media ← content medien
file ← datei archivo fichier
extension ← endung dateiendung
name ← nombre nom
year ← jahr ano annee
month ← monat mes mois
day ← tag dia jour
price ← preis precio prix
cost ← kosten coste cout
health ← gesundheit salud sante
school ← schule escuela ecole
election ← wahl eleccion
energy ← energie energia
traffic ← verkehr trafico circulation
accident ← unfall accidente
map ← karte mapa carte
release ← veroffentlichung
table ← tabelle tabla tableau
data ← daten datos donnees
`;

/** Words of other languages that mean nothing by themselves, as "the" and "of" do. Only those that are no English word. */
const FILLERS = new Set(
  "der das und von fur mit el los las del y para con les des du et dans pour avec sur".split(" "),
);

/** For a word, the others of its lines: those that it is used for as well, and those that it means. */
interface Meanings {
  same: ReadonlyMap<string, ReadonlySet<string>>;
  meant: ReadonlyMap<string, ReadonlySet<string>>;
}

function readMeanings(): Meanings {
  const [same, meant] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  for (const line of MEANINGS.trim().split("\n")) {
    const [own = [], others = []] = line.split(" ← ").map((side) => side.split(" "));
    for (const word of own) same.set(word, new Set([...(same.get(word) ?? []), ...own]));
    for (const word of others) meant.set(word, new Set([...(meant.get(word) ?? []), ...own]));
  }
  return { same, meant };
}

const { same: SAME, meant: MEANT } = readMeanings();

/** The number of words in the table. */
export const meaningsCount = new Set([...SAME.keys(), ...MEANT.keys(), ...FILLERS]).size;

/** Endings of plurals and of German and French forms. */
const ENDINGS = ["s", "e", "n", "es", "en", "er", "x"] as const;
const STEM_MIN = 3;

/** A folded word with ß as ss, and with umlauts that are written as two vowels as one. */
const spellingsOf = (word: string): string[] => [
  ...new Set([word, word.replaceAll("ß", "ss"), word.replaceAll(/([aou])e/g, "$1")]),
];

/** The forms of a word that may be in the table: as written if it is, otherwise without an ending. */
function formsOf(word: string): string[] {
  const spellings = spellingsOf(word);
  if (spellings.some((spelling) => SAME.has(spelling) || MEANT.has(spelling))) return spellings;
  return spellings.flatMap((spelling) =>
    ENDINGS.flatMap((ending) =>
      spelling.endsWith(ending) && spelling.length - ending.length >= STEM_MIN
        ? [spelling.slice(0, -ending.length)]
        : [],
    ),
  );
}

/** Other words of catalogues for a word, in any of its forms (`license` → `licence`), and what it means (`vuelos`). */
export function variantsOf(word: string): { same: string[]; meant: string[] } {
  const forms = formsOf(word);
  const among = (meanings: Meanings["same"]) =>
    [...new Set(forms.flatMap((form) => [...(meanings.get(form) ?? [])]))].filter((other) => other !== word);
  return { same: among(SAME).filter((other) => !forms.includes(other)), meant: among(MEANT) };
}

/** Whether a word says nothing about what is searched for. */
export const isFiller = (word: string): boolean => FILLERS.has(word);
