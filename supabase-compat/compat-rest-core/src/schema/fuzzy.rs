//! Near misses: which known name did the caller mean?
//!
//! Scores are cosine similarities of letter n-grams (first of three, then of two letters), then the
//! edit distance of the candidates, so that hints agree with those PostgREST gives.

use std::collections::HashMap;

/// Names to search among.
#[derive(Debug)]
pub struct FuzzySet<'a> {
    names: Vec<&'a str>,
}

impl<'a> FuzzySet<'a> {
    /// Collects the candidates.
    pub fn new(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut names: Vec<&str> = names.into_iter().collect();
        names.sort_unstable();
        names.dedup();
        Self { names }
    }

    /// The best candidate and its score, if it reaches `minimum` (0 to 1).
    pub fn best(&self, wanted: &str, minimum: f64) -> Option<(&'a str, f64)> {
        let wanted = wanted.to_lowercase();
        [3, 2].iter().find_map(|size| self.best_by_grams(&wanted, *size, minimum))
    }

    fn best_by_grams(&self, wanted: &str, size: usize, minimum: f64) -> Option<(&'a str, f64)> {
        let length = wanted.chars().count();
        let grams = gram_counts(wanted, size);
        let mut best: Option<(&'a str, f64)> = None;
        for name in &self.names {
            let lower = name.to_lowercase();
            // What the lengths alone rule out is not compared: a name may be as long as an address.
            if likeness_of_lengths(length, lower.chars().count()) < minimum {
                continue;
            }
            if cosine(&grams, &gram_counts(&lower, size)) <= 0.0 {
                continue;
            }
            let score = closeness(wanted, &lower);
            if score >= minimum && best.is_none_or(|(_, known)| score > known) {
                best = Some((name, score));
            }
        }
        best
    }
}

fn gram_counts(word: &str, size: usize) -> HashMap<Vec<char>, f64> {
    let letters = word.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | ',' | '_'));
    let padded: Vec<char> = std::iter::once('-').chain(letters).chain(['-']).collect();
    let mut counts = HashMap::new();
    for gram in padded.windows(size) {
        *counts.entry(gram.to_vec()).or_insert(0.0) += 1.0;
    }
    counts
}

fn cosine(a: &HashMap<Vec<char>, f64>, b: &HashMap<Vec<char>, f64>) -> f64 {
    let dot: f64 = a.iter().filter_map(|(gram, n)| b.get(gram).map(|m| n * m)).sum();
    let norm =
        |counts: &HashMap<Vec<char>, f64>| counts.values().map(|n| n * n).sum::<f64>().sqrt();
    let norms = norm(a) * norm(b);
    if norms == 0.0 { 0.0 } else { dot / norms }
}

/// The most that two texts of these lengths can be alike: every letter too many is an edit.
fn likeness_of_lengths(a: usize, b: usize) -> f64 {
    if a.max(b) == 0 { 1.0 } else { a.min(b) as f64 / a.max(b) as f64 }
}

/// One minus the edit distance over the longer length.
fn closeness(a: &str, b: &str) -> f64 {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let longest = a.len().max(b.len());
    if longest == 0 {
        return 1.0;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut previous = i;
        let mut next = vec![i + 1];
        for (above, y) in row.iter().skip(1).zip(&b) {
            let left = next.last().copied().unwrap_or(i + 1);
            next.push((previous + usize::from(x != y)).min(above + 1).min(left + 1));
            previous = *above;
        }
        row = next;
    }
    1.0 - row.last().copied().unwrap_or(longest) as f64 / longest as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_one_letter_is_recognised() {
        let set = FuzzySet::new(["films", "roles", "actors"]);
        assert_eq!(set.best("film", 0.75).map(|b| b.0), Some("films"));
        assert_eq!(set.best("role", 0.75).map(|b| b.0), Some("roles"));
        assert_eq!(set.best("noclosealternative", 0.33), None);
    }
}
