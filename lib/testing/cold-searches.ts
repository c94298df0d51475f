/**
 * Searches of the filled showcase catalogue by people who do not know its words, each with the dataset that must come
 * first. Written before the search could answer them.
 */
export const COLD_SEARCHES: readonly (readonly [text: string, slug: string])[] = [
  // once denied
  ["JFK to LAX flights", "us-flights-2001"],
  ["flights JFK LAX", "us-flights-2001"],
  ["busiest airports", "us-flights-2001"],
  ["90210", "us-zip-codes"],
  ["greenhouse gas", "mauna-loa-co2"],
  ["Klingon", "language-subtags"],
  ["erdbeben", "earthquakes-2018"],
  ["docx", "mime-types"],
  // values
  ["Adelie", "palmer-penguins"],
  ["Torgersen", "palmer-penguins"],
  ["Canada goose", "bird-strikes"],
  ["Beverly Hills", "us-zip-codes"],
  ["10001", "us-zip-codes"],
  ["Esperanto", "language-subtags"],
  ["GPL-3.0-only", "spdx-licenses"],
  ["application/pdf", "mime-types"],
  ["xlsx", "mime-types"],
  ["Seattle drizzle", "daily-weather"],
  ["HNL", "us-flights-2001"],
  ["Firefox", "browser-compatibility"],
  // names and descriptions of columns
  ["departure delay", "us-flights-2001"],
  ["body mass", "palmer-penguins"],
  ["parts per million", "mauna-loa-co2"],
  ["wind speed", "daily-weather"],
  ["cost of repairs", "bird-strikes"],
  ["osi approved", "spdx-licenses"],
  ["npm version", "nodejs-releases"],
  // plurals and compounds
  ["languagetags", "language-subtags"],
  ["language tags", "language-subtags"],
  ["zipcode", "us-zip-codes"],
  ["birdstrike", "bird-strikes"],
  ["mimetypes", "mime-types"],
  ["earth quake", "earthquakes-2018"],
  // synonyms
  ["carbon emissions", "mauna-loa-co2"],
  ["airline punctuality", "us-flights-2001"],
  ["seismology", "earthquakes-2018"],
  ["content types", "mime-types"],
  ["ISO language codes", "language-subtags"],
  ["web standards support", "browser-compatibility"],
  // German
  ["Flüge", "us-flights-2001"],
  ["Wetter Seattle", "daily-weather"],
  ["Postleitzahlen", "us-zip-codes"],
  ["Vogelschlag", "bird-strikes"],
  ["Pinguine", "palmer-penguins"],
  ["Flugverspätungen", "us-flights-2001"],
  // Spanish
  ["terremotos", "earthquakes-2018"],
  ["vuelos", "us-flights-2001"],
  ["códigos postales", "us-zip-codes"],
  // French
  ["séismes", "earthquakes-2018"],
  ["vols retardés", "us-flights-2001"],
  ["manchots", "palmer-penguins"],
  ["météo", "daily-weather"],
  ["licences logicielles", "spdx-licenses"],
  // typing errors
  ["eartqhuakes", "earthquakes-2018"],
  ["pengiun beaks", "palmer-penguins"],
  ["brwoser compatiblity", "browser-compatibility"],
  ["carbon dioxyde", "mauna-loa-co2"],
  // several words of which one is nowhere
  ["seattle weather zzyzx", "daily-weather"],
  ["bird strikes blimpworthy", "bird-strikes"],
  ["karaokebar penguins", "palmer-penguins"],
];
