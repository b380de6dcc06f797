//! Near misses: which known name did the caller mean?
//!
//! As PostgREST 16 finds them: candidates share n-grams of letters (first of three, then of two),
//! the fifty whose grams are most alike are compared by edit distance.

use std::collections::HashMap;

/// Most candidates whose edit distance is computed.
const COMPARED: usize = 50;

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
    pub fn best(&self, searched: &str, minimum: f64) -> Option<(&'a str, f64)> {
        let searched = searched.to_lowercase();
        [3, 2].iter().find_map(|size| self.best_by_grams(&searched, *size, minimum))
    }

    fn best_by_grams(&self, searched: &str, size: usize, minimum: f64) -> Option<(&'a str, f64)> {
        let grams = gram_counts(searched, size);
        let mut alike: Vec<(f64, &'a str)> = self
            .names
            .iter()
            .map(|name| (cosine(&gram_counts(&name.to_lowercase(), size), &grams), *name))
            .filter(|(similarity, _)| *similarity > 0.0)
            .collect();
        alike.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let mut best: Option<(&'a str, f64)> = None;
        for (_, name) in alike.into_iter().take(COMPARED) {
            let score = similarity_ratio(searched, &name.to_lowercase(), minimum);
            if score >= minimum && best.is_none_or(|(_, known)| score > known) {
                best = Some((name, score));
            }
        }
        best
    }
}

fn gram_counts(word: &str, size: usize) -> HashMap<Vec<char>, f64> {
    let characters = word.chars().filter(|c| c.is_alphanumeric() || c.is_whitespace() || *c == ',');
    let padded: Vec<char> = std::iter::once('-').chain(characters).chain(['-']).collect();
    let mut counts = HashMap::new();
    for gram in padded.windows(size) {
        *counts.entry(gram.to_vec()).or_insert(0.0) += 1.0;
    }
    counts
}

/// Iterates over the first map and looks up in the second: a known name is short, a requested one
/// may be long.
fn cosine(a: &HashMap<Vec<char>, f64>, b: &HashMap<Vec<char>, f64>) -> f64 {
    let dot: f64 = a.iter().filter_map(|(gram, n)| b.get(gram).map(|m| n * m)).sum();
    let norm =
        |counts: &HashMap<Vec<char>, f64>| counts.values().map(|n| n * n).sum::<f64>().sqrt();
    let norms = norm(a) * norm(b);
    if norms == 0.0 { 0.0 } else { dot / norms }
}

/// One minus the edit distance over the longer length; 0 where the lengths alone keep it below the
/// minimum, because a name may be as long as an address.
fn similarity_ratio(a: &str, b: &str, minimum: f64) -> f64 {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let longest = a.len().max(b.len());
    if longest == 0 {
        return 1.0;
    }
    if (a.len().min(b.len()) as f64) < minimum * longest as f64 {
        return 0.0;
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
    fn one_letter_typo_finds_closest_name() {
        let set = FuzzySet::new(["films", "roles", "actors"]);
        assert_eq!(set.best("film", 0.75).map(|b| b.0), Some("films"));
        assert_eq!(set.best("role", 0.75).map(|b| b.0), Some("roles"));
        assert_eq!(set.best("noclosealternative", 0.33), None);
        assert_eq!(set.best(&"films".repeat(10_000), 0.33), None);
    }

    #[test]
    fn underscores_make_no_likeness() {
        assert_eq!(FuzzySet::new(["_ab_"]).best("_xy_", 0.33), None);
        assert_eq!(FuzzySet::new(["add_them"]).best("addthem", 0.75), Some(("add_them", 0.875)));
    }
}
